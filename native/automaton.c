/* The automaton that finds where rules may match. */
#include "native.h"

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

int veil_add_automaton(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
