/* Tokens of a text and the numbers of their forms. */
#include "native.h"

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

int veil_add_tokens(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
