/* The linear chain: the best tags of sequences and their probabilities. */
#include "native.h"

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

int veil_add_chain(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
