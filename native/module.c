/* The module veil._native: the compiled core. */
#include "native.h"

int veil_get_buffer(PyObject *object, Py_buffer *view, Py_ssize_t item_size, int writable)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags) < 0)
        return -1;
    if (view->itemsize != item_size) {
        PyErr_Format(PyExc_ValueError, "items of %zd bytes expected, not of %zd", item_size,
                     view->itemsize);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

static int add_parts(PyObject *module)
{
    if (veil_add_scoring(module) < 0 || veil_add_chain(module) < 0 ||
        veil_add_positions(module) < 0 || veil_add_automaton(module) < 0 ||
        veil_add_tokens(module) < 0 || veil_add_training(module) < 0 ||
        veil_add_network(module) < 0)
        return -1;
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)add_parts}, {0, NULL}};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "veil._native",
    .m_doc = "The compiled core of Veil; see veil.core.native.",
    .m_size = 0,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
