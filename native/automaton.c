/* The automaton that finds where rules may match.
 *
 * Its tables are made by veil/detect/rules/automaton.py, which describes them. The automaton
 * accepts more than the patterns do: Python tries the patterns of the rules that it names.
 */
#include "native.h"
#include <string.h>

enum { PAGE_SIZE = 256, PAGES = 0x110000 / PAGE_SIZE };
enum { UNKNOWN = 0xFFFF, MOST_MASK_WORDS = 16 };
enum { OF_WORD = 1, UNASSIGNED = 2 };

/* The head of the tables, in the order of `_HEAD` of the Python module. */
typedef struct {
    int32_t classes, states, masks, mask_words, pages, edge, at_word, elsewhere, most_steps;
    int32_t reserved[7];
} Head;

typedef struct {
    PyObject_HEAD
    Py_buffer buffer;
    Head head;
    const uint16_t *page_of, *pages, *next, *accepted, *live;
    const uint64_t *masks;
    const unsigned char *kinds;
} Automaton;

static Py_ssize_t aligned(Py_ssize_t size)
{
    return (size + 7) / 8 * 8;
}

/* Whether the small tables lie in their ranges; walks check the numbers of the large ones. */
static int is_sound(const Automaton *self)
{
    const Head *head = &self->head;
    Py_ssize_t at;
    for (at = 0; at < PAGES; at++)
        if (head->pages <= self->page_of[at])
            return 0;
    for (at = 0; at < (Py_ssize_t)head->pages * PAGE_SIZE; at++)
        if (head->classes <= self->pages[at])
            return 0;
    for (at = 0; at < head->states; at++)
        if (head->masks <= self->accepted[at] || head->masks <= self->live[at])
            return 0;
    return head->edge < head->classes && head->at_word < head->states &&
           head->elsewhere < head->states;
}

static int Automaton_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"tables", NULL};
    Automaton *self = (Automaton *)object;
    PyObject *tables;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &tables))
        return -1;
    if (self->buffer.obj != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the automaton has its tables already");
        return -1;
    }
    if (veil_get_buffer(tables, &self->buffer, 1, 0) < 0)
        return -1;
    const char *data = self->buffer.buf;
    Py_ssize_t left = self->buffer.len - (Py_ssize_t)sizeof(Head);
    Head *head = &self->head;
    if (0 <= left && (uintptr_t)data % 8 == 0) {
        memcpy(head, data, sizeof *head);
        data += sizeof *head;
        if (0 < head->classes && head->classes < UNKNOWN && 0 < head->states &&
            head->states < UNKNOWN && 0 < head->masks && head->masks < UNKNOWN &&
            0 < head->mask_words && head->mask_words <= MOST_MASK_WORDS && 0 < head->pages &&
            head->pages <= PAGES && 0 <= head->edge && 0 <= head->at_word &&
            0 <= head->elsewhere) {
            const Py_ssize_t sizes[] = {
                2 * PAGES,
                2 * (Py_ssize_t)head->pages * PAGE_SIZE,
                2 * (Py_ssize_t)head->states * head->classes,
                2 * (Py_ssize_t)head->states,
                2 * (Py_ssize_t)head->states,
                8 * (Py_ssize_t)head->masks * head->mask_words,
                head->classes,
            };
            const void *parts[7];
            int part;
            for (part = 0; part < 7 && 0 <= left; part++) {
                parts[part] = data;
                data += aligned(sizes[part]);
                left -= aligned(sizes[part]);
            }
            if (left == 0) {
                self->page_of = parts[0];
                self->pages = parts[1];
                self->next = parts[2];
                self->accepted = parts[3];
                self->live = parts[4];
                self->masks = parts[5];
                self->kinds = parts[6];
                if (is_sound(self))
                    return 0;
            }
        }
    }
    self->next = NULL;
    PyErr_SetString(PyExc_ValueError, "the tables of the automaton are damaged");
    return -1;
}

static void Automaton_dealloc(PyObject *object)
{
    Automaton *self = (Automaton *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->buffer.obj != NULL)
        PyBuffer_Release(&self->buffer);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static void add_mask(const Automaton *self, uint16_t number, uint64_t *mask)
{
    int words = self->head.mask_words;
    const uint64_t *added = self->masks + (Py_ssize_t)number * words;
    for (int word = 0; word < words; word++)
        mask[word] |= added[word];
}

/* Walk from one character; returns whether a rule may match there. Mask 0 is empty.
 *
 * Beyond the states that are stored, and after many steps, all live rules may match.
 */
static int walk(const Automaton *self, uint16_t root, const uint16_t *classes, Py_ssize_t at,
                uint64_t *mask)
{
    const Head *head = &self->head;
    const size_t width = (size_t)head->classes;
    /* The character before: `classes` has an edge in front of the text and one after it. */
    uint16_t state = self->next[root * width + classes[at - 1]];
    int found = 0;
    if (head->states <= state) {
        memset(mask, 0, (size_t)head->mask_words * sizeof *mask);
        add_mask(self, self->live[root], mask);
        return 1;
    }
    for (int step = 0; self->live[state] != 0; step++, at++) {
        uint16_t next = step < head->most_steps ? self->next[state * width + classes[at]] : UNKNOWN;
        uint16_t added = next < head->states ? self->accepted[next] : self->live[state];
        if (added != 0) {
            if (!found)
                memset(mask, 0, (size_t)head->mask_words * sizeof *mask);
            add_mask(self, added, mask);
            found = 1;
        }
        if (head->states <= next || classes[at] == head->edge)
            break;
        state = next;
    }
    return found;
}

static PyObject *find_all(const Automaton *self, const uint16_t *classes, Py_ssize_t length)
{
    const Head *head = &self->head;
    uint64_t mask[MOST_MASK_WORDS];
    Py_ssize_t word_end = 0;
    PyObject *found = PyList_New(0);
    if (found == NULL)
        return NULL;
    for (Py_ssize_t at = 1; at <= length; at++) {
        int begins_word = word_end < at && self->kinds[classes[at]] == OF_WORD;
        if (begins_word)
            for (word_end = at; word_end < length && self->kinds[classes[word_end + 1]] == OF_WORD;)
                word_end++;
        uint16_t root = (uint16_t)(begins_word ? head->at_word : head->elsewhere);
        if (!walk(self, root, classes, at, mask))
            continue;
        PyObject *place = Py_BuildValue(
            "(nny#)", at - 1, begins_word ? word_end : at - 1, (const char *)mask,
            (Py_ssize_t)(head->mask_words * (int)sizeof *mask));
        if (place == NULL || PyList_Append(found, place) < 0) {
            Py_XDECREF(place);
            Py_DECREF(found);
            return NULL;
        }
        Py_DECREF(place);
    }
    return found;
}

static PyObject *Automaton_find(PyObject *object, PyObject *text)
{
    Automaton *self = (Automaton *)object;
    if (self->next == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the object was not initialised");
        return NULL;
    }
    Py_ssize_t length = PyUnicode_GetLength(text); /* raises TypeError for other objects */
    if (length < 0)
        return NULL;
    Py_UCS4 *points = PyMem_Malloc((size_t)(length + 1) * sizeof *points);
    uint16_t *classes = PyMem_Malloc((size_t)(length + 2) * sizeof *classes);
    PyObject *found = NULL;
    if (points == NULL || classes == NULL) {
        PyErr_NoMemory();
    } else if (PyUnicode_AsUCS4(text, points, length + 1, 1) != NULL) {
        classes[0] = classes[length + 1] = (uint16_t)self->head.edge;
        int unassigned = 0;
        for (Py_ssize_t at = 0; at < length; at++) {
            Py_UCS4 point = points[at];
            uint16_t number = self->pages[self->page_of[point / PAGE_SIZE] * PAGE_SIZE + point % PAGE_SIZE];
            unassigned |= self->kinds[number] == UNASSIGNED;
            classes[at + 1] = number;
        }
        found = unassigned ? Py_NewRef(Py_None) : find_all(self, classes, length);
    }
    PyMem_Free(points);
    PyMem_Free(classes);
    return found;
}

static PyMethodDef automaton_methods[] = {
    {"find", Automaton_find, METH_O,
     "find(text): where rules may match: start, end of the word that begins there, mask of rules.\n"
     "None if the text has a character that was unassigned when the tables were made."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot automaton_slots[] = {
    {Py_tp_doc, "Finds where rules may match."},
    {Py_tp_init, (void *)Automaton_init},
    {Py_tp_dealloc, (void *)Automaton_dealloc},
    {Py_tp_methods, automaton_methods},
    {0, NULL},
};

static PyType_Spec automaton_spec = {
    .name = "veil._native.Automaton",
    .basicsize = sizeof(Automaton),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = automaton_slots,
};

int veil_add_automaton(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &automaton_spec, NULL);
    int failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
