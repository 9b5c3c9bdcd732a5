/* What the parts of the compiled core share.
 *
 * The core uses Python's stable ABI, so that one build serves all versions of Python from 3.11 on,
 * and the buffer protocol instead of NumPy's C API, so that it needs nothing but Python to build.
 * Each part has a pure Python twin that gives the same results; see veil/core/native.py.
 */
#ifndef VEIL_NATIVE_H
#define VEIL_NATIVE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdint.h>

/* Get a C-contiguous buffer of items of one size; raises TypeError or ValueError and returns -1. */
int veil_get_buffer(PyObject *object, Py_buffer *view, Py_ssize_t item_size, int writable);

/* Each part adds its functions and types to the module; returns -1 with an error set. */
int veil_add_scoring(PyObject *module);
int veil_add_chain(PyObject *module);
int veil_add_positions(PyObject *module);
int veil_add_automaton(PyObject *module);
int veil_add_tokens(PyObject *module);
int veil_add_network(PyObject *module);
int veil_add_training(PyObject *module);

#endif
