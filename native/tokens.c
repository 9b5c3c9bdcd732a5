/* Tokens of a text in Latin script, and the numbers of word forms.
 *
 * The twins of this part are veil/languages/latin.py, whose pattern defines the tokens, and
 * veil/features/stream.py. Characters are classified by Python: see `Latin`.
 */
#include "native.h"
#include <stddef.h>
#include <string.h>
#include <structmember.h>

enum { PAGE_SIZE = 256, PAGES = 0x110000 / PAGE_SIZE };

/* Bytes of a shadow that do not stand for an ASCII character. */
enum { CASELESS = 0xAA, MARK = 0xCC };

/* ---- Growing arrays ------------------------------------------------------------------------- */

typedef struct {
    int32_t *items;
    Py_ssize_t size, room;
} Numbers;

static int reserve(Numbers *numbers, Py_ssize_t more)
{
    if (more <= numbers->room - numbers->size)
        return 0;
    Py_ssize_t room = 2 * numbers->room + more;
    int32_t *items = PyMem_Realloc(numbers->items, (size_t)room * sizeof *items);
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    numbers->items = items;
    numbers->room = room;
    return 0;
}

static PyObject *as_bytearray(const Numbers *numbers)
{
    return PyByteArray_FromStringAndSize((const char *)numbers->items,
                                         numbers->size * (Py_ssize_t)sizeof(int32_t));
}

/* ---- Texts as code points ------------------------------------------------------------------- */

typedef struct {
    PyObject *object;
    Py_UCS4 *points; /* ends in 0 */
    unsigned char *shadow; /* ends in 0, which is in no class: a scan stops there */
    Py_ssize_t length, room;
} Text;

static int read_text(Text *text, PyObject *object)
{
    if (object == NULL) /* a list that Python made shorter meanwhile */
        return -1;
    Py_INCREF(object);
    Py_XDECREF(text->object);
    text->object = object;
    Py_ssize_t length = PyUnicode_GetLength(object); /* raises TypeError for other objects */
    if (length < 0)
        return -1;
    if (INT32_MAX - 1 <= length) {
        PyErr_SetString(PyExc_ValueError, "the text is too long");
        return -1;
    }
    if (text->room <= length) {
        Py_ssize_t room = length + 1;
        PyMem_Free(text->points);
        PyMem_Free(text->shadow);
        text->points = PyMem_Malloc((size_t)room * sizeof *text->points);
        text->shadow = PyMem_Malloc((size_t)room);
        text->room = room;
        if (text->points == NULL || text->shadow == NULL) {
            text->room = 0;
            PyErr_NoMemory();
            return -1;
        }
    }
    text->length = length;
    return PyUnicode_AsUCS4(object, text->points, text->room, 1) == NULL ? -1 : 0;
}

static void free_text(Text *text)
{
    Py_XDECREF(text->object);
    PyMem_Free(text->points);
    PyMem_Free(text->shadow);
}

/* ---- Classes of characters of a shadow ------------------------------------------------------ */

static inline int is_upper(unsigned char c)
{
    return 'A' <= c && c <= 'Z';
}

static inline int is_lower(unsigned char c)
{
    return 'a' <= c && c <= 'z';
}

static inline int is_small(unsigned char c)
{
    return is_lower(c) || c == CASELESS;
}

static inline int is_digit(unsigned char c)
{
    return '0' <= c && c <= '9';
}

static inline int is_blank(unsigned char c)
{
    return c == ' ' || ('\t' <= c && c <= '\r') || (0x1C <= c && c <= 0x1F);
}

/* ---- Latin: cuts texts into tokens ---------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    PyObject *describe_page;
    unsigned char *pages[PAGES];
} Latin;

static int Latin_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"describe_page", NULL};
    Latin *self = (Latin *)object;
    PyObject *describe_page;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &describe_page))
        return -1;
    PyObject *old = self->describe_page;
    Py_INCREF(describe_page);
    self->describe_page = describe_page;
    Py_XDECREF(old);
    return 0;
}

static void Latin_dealloc(PyObject *object)
{
    Latin *self = (Latin *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (Py_ssize_t page = 0; page < PAGES; page++)
        PyMem_Free(self->pages[page]);
    Py_XDECREF(self->describe_page);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* Ask Python for the classes of a page of characters, once. */
static const unsigned char *load_page(Latin *self, Py_UCS4 number)
{
    if (self->describe_page == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the object was not initialised");
        return NULL;
    }
    PyObject *described = PyObject_CallFunction(self->describe_page, "I", (unsigned int)number);
    char *bytes;
    Py_ssize_t size;
    if (described == NULL)
        return NULL;
    if (PyBytes_AsStringAndSize(described, &bytes, &size) < 0) {
        Py_DECREF(described);
        return NULL;
    }
    unsigned char *page = size == PAGE_SIZE ? PyMem_Malloc(PAGE_SIZE) : NULL;
    if (page != NULL) {
        memcpy(page, bytes, PAGE_SIZE);
        PyMem_Free(self->pages[number]); /* NULL, unless Python cut a text meanwhile */
        self->pages[number] = page;
    } else if (size == PAGE_SIZE) {
        PyErr_NoMemory();
    } else {
        PyErr_Format(PyExc_ValueError, "a page has %d characters, not %zd", PAGE_SIZE, size);
    }
    Py_DECREF(described);
    return page;
}

/* Replace marks after a letter by letters of the case of their word, so that they make no joint. */
static void resolve_marks(unsigned char *shadow, Py_ssize_t length)
{
    Py_ssize_t at = 1;
    while (at < length) {
        unsigned char letter = shadow[at - 1];
        if (shadow[at] != MARK || !(is_upper(letter) || is_small(letter))) {
            at++;
            continue;
        }
        Py_ssize_t end = at;
        while (shadow[end] == MARK)
            end++;
        memset(shadow + at, is_upper(letter) && is_upper(shadow[end]) ? 'X' : 'x',
               (size_t)(end - at));
        at = end + 1; /* the next character is not a mark, and a replaced mark is not a letter */
    }
}

static int cast_shadow(Latin *self, Text *text)
{
    int has_marks = 0;
    for (Py_ssize_t at = 0; at < text->length; at++) {
        Py_UCS4 point = text->points[at];
        const unsigned char *page = self->pages[point / PAGE_SIZE];
        if (page == NULL && (page = load_page(self, point / PAGE_SIZE)) == NULL)
            return -1;
        text->shadow[at] = page[point % PAGE_SIZE];
        has_marks |= text->shadow[at] == MARK;
    }
    text->shadow[text->length] = 0;
    if (has_marks)
        resolve_marks(text->shadow, text->length);
    return 0;
}

/* The functions below follow the pattern of latin.py line by line. `s` is a shadow, which ends in
 * 0; a condition reads a character only if those before it are in a class. */

static const unsigned char *skip_small(const unsigned char *s)
{
    while (is_small(*s))
        s++;
    return s;
}

static const unsigned char *skip_upper(const unsigned char *s)
{
    while (is_upper(*s))
        s++;
    return s;
}

/* The end of one or two small letters, or the opening of a surname, that belong to the capital
 * after them; NULL if there are none. */
static const unsigned char *end_of_opening(const unsigned char *s)
{
    if (is_lower(s[0]) && is_upper(s[1]) &&
        !(is_lower(s[2]) && is_lower(s[3]) && is_lower(s[4])))
        return s + 1;
    if (is_lower(s[0]) && is_lower(s[1]) && is_upper(s[2]) && !(is_lower(s[3]) && is_lower(s[4])))
        return s + 2;
    if (is_upper(s[0]) && is_lower(s[1]) && is_upper(s[2]))
        return s + 2;
    static const char *const openings[] = {"Mac", "Fitz", "Van", "Del"};
    for (size_t index = 0; index < sizeof openings / sizeof *openings; index++) {
        size_t length = strlen(openings[index]);
        if (strncmp((const char *)s, openings[index], length) == 0 && is_upper(s[length]))
            return s + length;
    }
    return NULL;
}

/* Whether exactly the letters of an acronym's ending are here: the "et" of "EKGet". */
static int is_ending(const unsigned char *s)
{
    static const char endings[][3] = {"se", "sa", "en", "et", "er", "na", "ns"};
    for (size_t index = 0; index < sizeof endings / sizeof *endings; index++)
        if (s[0] == (unsigned char)endings[index][0] && s[1] == (unsigned char)endings[index][1])
            return !is_lower(s[2]);
    return 0;
}

static const unsigned char *end_of_word(const unsigned char *s)
{
    const unsigned char *end;
    if (is_small(*s)) {
        end = skip_small(s);
        if (!is_upper(*end))
            return end;
    } else {
        end = skip_small(s + 1);
        if (!is_upper(*end))
            return end;
        end = skip_upper(s);
        if (!is_small(*end))
            return end;
    }
    const unsigned char *opening = end_of_opening(s);
    if (opening != NULL) {
        end = skip_upper(opening);
        return 2 <= end - opening && is_lower(end[0]) && is_lower(end[1]) ? end - 1
                                                                           : skip_small(end);
    }
    end = skip_upper(s);
    if (2 <= end - s && is_lower(end[0]) && is_lower(end[1]) && !is_ending(end))
        return end - 1;
    return skip_small(end);
}

static int are_digits(const unsigned char *s, int count)
{
    while (0 < count && is_digit(*s)) {
        s++;
        count--;
    }
    return count == 0;
}

static int is_separator(unsigned char c)
{
    return c == '-' || c == '.' || c == ',';
}

static const unsigned char *end_of_number(const unsigned char *s)
{
    const unsigned char *end = s;
    while (is_digit(*end))
        end++;
    if (3 <= end - s && end[0] == '/' && are_digits(end + 1, 2) && end[3] == '/' &&
        are_digits(end + 4, 4) && !is_digit(end[8]))
        return end - 2;
    if (4 <= end - s && is_separator(end[0]) && are_digits(end + 1, 3) && is_separator(end[4]) &&
        are_digits(end + 5, 4) && !is_digit(end[9]))
        return end - 3;
    return end;
}

static const unsigned char *end_of_token(const unsigned char *s)
{
    if (is_upper(*s) || is_small(*s))
        return end_of_word(s);
    return is_digit(*s) ? end_of_number(s) : s + 1;
}

static PyObject *Latin_offsets(PyObject *object, PyObject *argument)
{
    Text text = {0};
    PyObject *starts = NULL, *ends = NULL, *offsets = NULL;
    if (read_text(&text, argument) < 0 || cast_shadow((Latin *)object, &text) < 0)
        goto done;
    if ((starts = PyList_New(0)) == NULL || (ends = PyList_New(0)) == NULL)
        goto done;
    const unsigned char *at = text.shadow, *stop = text.shadow + text.length;
    while (at < stop) {
        if (is_blank(*at)) {
            at++;
            continue;
        }
        const unsigned char *end = end_of_token(at);
        PyObject *from = PyLong_FromSsize_t(at - text.shadow);
        PyObject *to = PyLong_FromSsize_t(end - text.shadow);
        int failed = from == NULL || to == NULL || PyList_Append(starts, from) < 0 ||
                     PyList_Append(ends, to) < 0;
        Py_XDECREF(from);
        Py_XDECREF(to);
        if (failed)
            goto done;
        at = end;
    }
    offsets = PyTuple_Pack(2, starts, ends);
done:
    free_text(&text);
    Py_XDECREF(starts);
    Py_XDECREF(ends);
    return offsets;
}

static PyMethodDef Latin_methods[] = {
    {"offsets", Latin_offsets, METH_O, "Return the starts and the ends of the tokens of a text."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot Latin_slots[] = {
    {Py_tp_doc, "Cuts texts in Latin script; `describe_page` gives the shadows of 256 characters."},
    {Py_tp_init, (void *)Latin_init},
    {Py_tp_dealloc, (void *)Latin_dealloc},
    {Py_tp_methods, Latin_methods},
    {0, NULL},
};

static PyType_Spec Latin_spec = {
    .name = "veil._native.Latin",
    .basicsize = sizeof(Latin),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = Latin_slots,
};

/* ---- Forms: numbers word forms -------------------------------------------------------------- */

typedef struct {
    uint32_t hash;
    int32_t number; /* -1: free */
    int32_t length;
    Py_ssize_t start; /* in the row of all forms */
} Entry;

typedef struct {
    PyObject_HEAD
    Latin *latin;
    uint32_t seed;
    Py_ssize_t count;
    Entry *entries;
    size_t room; /* a power of 2, more than twice `count` */
    Py_UCS4 *row; /* the characters of all forms, one form after the other */
    Py_ssize_t row_size, row_room;
} Forms;

enum { FIRST_ROOM = 1 << 13 };

static Entry *new_entries(size_t room)
{
    Entry *entries = PyMem_Malloc(room * sizeof *entries);
    if (entries == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t index = 0; index < room; index++)
        entries[index].number = -1;
    return entries;
}

static int Forms_reset(Forms *self)
{
    Entry *entries = new_entries(FIRST_ROOM);
    if (entries == NULL)
        return -1;
    PyMem_Free(self->entries);
    PyMem_Free(self->row);
    self->entries = entries;
    self->room = FIRST_ROOM;
    self->row = NULL;
    self->count = self->row_size = self->row_room = 0;
    return 0;
}

static int Forms_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"latin", "seed", NULL};
    Forms *self = (Forms *)object;
    PyObject *latin;
    unsigned long long seed;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OK", names, &latin, &seed))
        return -1;
    PyObject *type = PyObject_GetAttrString(PyType_GetModule(Py_TYPE(object)), "Latin");
    if (type == NULL)
        return -1;
    int is_latin = PyObject_IsInstance(latin, type);
    Py_DECREF(type);
    if (is_latin <= 0) {
        if (is_latin == 0)
            PyErr_SetString(PyExc_TypeError, "latin must be a Latin object");
        return -1;
    }
    if (Forms_reset(self) < 0)
        return -1;
    PyObject *old = (PyObject *)self->latin;
    Py_INCREF(latin);
    self->latin = (Latin *)latin;
    self->seed = (uint32_t)(seed ^ (seed >> 32));
    Py_XDECREF(old);
    return 0;
}

static void Forms_dealloc(PyObject *object)
{
    Forms *self = (Forms *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyMem_Free(self->entries);
    PyMem_Free(self->row);
    Py_XDECREF((PyObject *)self->latin);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static uint32_t hash_of(const Forms *self, const Py_UCS4 *points, int32_t length)
{
    uint64_t hash = self->seed ^ 0x9E3779B97F4A7C15u;
    for (int32_t index = 0; index < length; index++)
        hash = (hash ^ points[index]) * 0xD6E8FEB86659FD93u;
    return (uint32_t)(hash >> 32) ^ (uint32_t)hash;
}

static int widen(Forms *self)
{
    size_t room = 2 * self->room;
    Entry *entries = new_entries(room);
    if (entries == NULL)
        return -1;
    for (size_t old = 0; old < self->room; old++) {
        if (self->entries[old].number < 0)
            continue;
        size_t index = self->entries[old].hash & (room - 1);
        while (0 <= entries[index].number)
            index = (index + 1) & (room - 1);
        entries[index] = self->entries[old];
    }
    PyMem_Free(self->entries);
    self->entries = entries;
    self->room = room;
    return 0;
}

static int append_to_row(Forms *self, const Py_UCS4 *points, int32_t length)
{
    if (self->row_room - self->row_size < length) {
        Py_ssize_t room = 2 * self->row_room + length;
        Py_UCS4 *row = PyMem_Realloc(self->row, (size_t)room * sizeof *row);
        if (row == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->row = row;
        self->row_room = room;
    }
    memcpy(self->row + self->row_size, points, (size_t)length * sizeof *points);
    self->row_size += length;
    return 0;
}

/* The number of a form, which is added if it is new; -1 with an error set. */
static int32_t number_of(Forms *self, const Py_UCS4 *points, int32_t length)
{
    uint32_t hash = hash_of(self, points, length);
    size_t index = hash & (self->room - 1);
    for (; 0 <= self->entries[index].number; index = (index + 1) & (self->room - 1)) {
        const Entry *entry = &self->entries[index];
        if (entry->hash == hash && entry->length == length &&
            memcmp(self->row + entry->start, points, (size_t)length * sizeof *points) == 0)
            return entry->number;
    }
    if (self->count == INT32_MAX || append_to_row(self, points, length) < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_OverflowError, "too many forms");
        return -1;
    }
    int32_t number = (int32_t)self->count++;
    self->entries[index] = (Entry){hash, number, length, self->row_size - length};
    if (self->room / 2 <= (size_t)self->count && widen(self) < 0)
        return -1;
    return number;
}

static PyObject *Forms_add(PyObject *object, PyObject *argument)
{
    Forms *self = (Forms *)object;
    Text text = {0};
    int32_t number = -1;
    if (self->entries == NULL)
        PyErr_SetString(PyExc_RuntimeError, "the object was not initialised");
    else if (read_text(&text, argument) == 0)
        number = number_of(self, text.points, (int32_t)text.length);
    free_text(&text);
    return number < 0 ? NULL : PyLong_FromLong(number);
}

static PyObject *Forms_clear(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    if (Forms_reset((Forms *)object) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* A stream of tokens: three arrays side by side, and the forms that are new. */
typedef struct {
    Numbers form, start, end;
    PyObject *new_forms;
} Tokens;

static int append_new_form(Tokens *tokens, const Text *text, Py_ssize_t start, Py_ssize_t end)
{
    PyObject *form = PyUnicode_Substring(text->object, start, end);
    int failed = form == NULL || PyList_Append(tokens->new_forms, form) < 0;
    Py_XDECREF(form);
    return failed ? -1 : 0;
}

static int append_token(Forms *self, Tokens *tokens, const Text *text, Py_ssize_t start,
                        Py_ssize_t end)
{
    Py_ssize_t known = self->count;
    int32_t number = number_of(self, text->points + start, (int32_t)(end - start));
    if (number < 0 || (number == known && append_new_form(tokens, text, start, end) < 0))
        return -1;
    if (reserve(&tokens->form, 1) < 0 || reserve(&tokens->start, 1) < 0 ||
        reserve(&tokens->end, 1) < 0)
        return -1;
    tokens->form.items[tokens->form.size++] = number;
    tokens->start.items[tokens->start.size++] = (int32_t)start;
    tokens->end.items[tokens->end.size++] = (int32_t)end;
    return 0;
}

/* Padding is form 0, and begins and ends at 0. */
static int append_padding(Tokens *tokens, Py_ssize_t count)
{
    Numbers *arrays[] = {&tokens->form, &tokens->start, &tokens->end};
    for (size_t index = 0; index < 3; index++) {
        if (reserve(arrays[index], count) < 0)
            return -1;
        memset(arrays[index]->items + arrays[index]->size, 0, (size_t)count * sizeof(int32_t));
        arrays[index]->size += count;
    }
    return 0;
}

static int append_line_ends(Forms *self, Tokens *tokens, const Text *text, Py_ssize_t start,
                            Py_ssize_t end)
{
    for (Py_ssize_t at = start; at < end; at++)
        if (text->points[at] == '\n' && append_token(self, tokens, text, at, at + 1) < 0)
            return -1;
    return 0;
}

static int append_latin(Forms *self, Tokens *tokens, Text *text)
{
    if (cast_shadow(self->latin, text) < 0)
        return -1;
    const unsigned char *at = text->shadow, *stop = text->shadow + text->length;
    while (at < stop) {
        if (is_blank(*at) && *at != '\n') {
            at++;
            continue;
        }
        const unsigned char *end = *at == '\n' ? at + 1 : end_of_token(at);
        if (append_token(self, tokens, text, at - text->shadow, end - text->shadow) < 0)
            return -1;
        at = end;
    }
    return 0;
}

/* A checked item of a list of offsets; -1 with an error set. */
static Py_ssize_t offset_at(PyObject *offsets, Py_ssize_t index, Py_ssize_t least, Py_ssize_t most)
{
    PyObject *item = PyList_GetItem(offsets, index);
    Py_ssize_t offset = item == NULL ? -1 : PyLong_AsSsize_t(item);
    if (offset == -1 && PyErr_Occurred())
        return -1;
    if (offset < least || most < offset) {
        PyErr_SetString(PyExc_ValueError, "tokens lie outside their text or overlap");
        return -1;
    }
    return offset;
}

static int append_cuts(Forms *self, Tokens *tokens, const Text *text, PyObject *cuts)
{
    PyObject *starts = NULL, *ends = NULL;
    if (cuts != NULL && PyTuple_Check(cuts) && PyTuple_Size(cuts) == 2) {
        starts = PyTuple_GetItem(cuts, 0);
        ends = PyTuple_GetItem(cuts, 1);
    }
    if (starts == NULL || !PyList_Check(starts) || !PyList_Check(ends) ||
        PyList_Size(starts) != PyList_Size(ends)) {
        PyErr_SetString(PyExc_TypeError, "cuts must be two lists of one length");
        return -1;
    }
    Py_ssize_t last = 0;
    for (Py_ssize_t index = 0; index < PyList_Size(starts); index++) {
        Py_ssize_t start = offset_at(starts, index, last, text->length);
        Py_ssize_t end = start < 0 ? -1 : offset_at(ends, index, start, text->length);
        if (end < 0 || append_line_ends(self, tokens, text, last, start) < 0 ||
            append_token(self, tokens, text, start, end) < 0)
            return -1;
        last = end;
    }
    return append_line_ends(self, tokens, text, last, text->length);
}

static PyObject *lay_out_all(Forms *self, Tokens *tokens, PyObject *texts, PyObject *cuts,
                             Py_ssize_t pads)
{
    Text text = {0};
    PyObject *bounds = PyList_New(0);
    int failed = bounds == NULL || append_padding(tokens, pads) < 0;
    for (Py_ssize_t index = 0; !failed && index < PyList_Size(texts); index++) {
        Py_ssize_t first = tokens->form.size;
        failed = read_text(&text, PyList_GetItem(texts, index)) < 0 ||
                 (cuts == Py_None
                      ? append_latin(self, tokens, &text)
                      : append_cuts(self, tokens, &text, PyList_GetItem(cuts, index))) < 0;
        PyObject *bound = failed ? NULL : Py_BuildValue("nn", first, tokens->form.size);
        failed = bound == NULL || PyList_Append(bounds, bound) < 0 ||
                 append_padding(tokens, pads) < 0;
        Py_XDECREF(bound);
    }
    free_text(&text);
    if (failed)
        Py_CLEAR(bounds);
    return bounds;
}

static PyObject *Forms_lay_out(PyObject *object, PyObject *arguments)
{
    Forms *self = (Forms *)object;
    PyObject *texts, *cuts, *result = NULL;
    Py_ssize_t pads;
    if (!PyArg_ParseTuple(arguments, "OOn", &texts, &cuts, &pads))
        return NULL;
    if (self->entries == NULL || !PyList_Check(texts) || pads < 0 || 1 << 20 < pads ||
        (cuts != Py_None && (!PyList_Check(cuts) || PyList_Size(cuts) != PyList_Size(texts)))) {
        PyErr_SetString(PyExc_TypeError, "lay_out takes a list of texts, a list of as many cuts "
                                         "or None, and the number of pads");
        return NULL;
    }
    Tokens tokens = {.new_forms = PyList_New(0)};
    PyObject *bounds = NULL;
    if (tokens.new_forms != NULL)
        bounds = lay_out_all(self, &tokens, texts, cuts, pads);
    if (bounds != NULL)
        result = Py_BuildValue("NNNOO", as_bytearray(&tokens.form), as_bytearray(&tokens.start),
                               as_bytearray(&tokens.end), bounds, tokens.new_forms);
    Py_XDECREF(bounds);
    Py_XDECREF(tokens.new_forms);
    PyMem_Free(tokens.form.items);
    PyMem_Free(tokens.start.items);
    PyMem_Free(tokens.end.items);
    return result;
}

static PyMemberDef Forms_members[] = {
    {"size", T_PYSSIZET, offsetof(Forms, count), READONLY, "The number of forms."},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef Forms_methods[] = {
    {"add", Forms_add, METH_O, "Return the number of a form, a new one if it is new."},
    {"clear", Forms_clear, METH_NOARGS, "Forget all forms."},
    {"lay_out", Forms_lay_out, METH_VARARGS,
     "Return forms, starts and ends of the tokens of texts, line ends and padding included, the\n"
     "bounds of each text, and the forms that are new."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot Forms_slots[] = {
    {Py_tp_doc, "Numbers word forms in the order in which they come."},
    {Py_tp_init, (void *)Forms_init},
    {Py_tp_dealloc, (void *)Forms_dealloc},
    {Py_tp_methods, Forms_methods},
    {Py_tp_members, Forms_members},
    {0, NULL},
};

static PyType_Spec Forms_spec = {
    .name = "veil._native.Forms",
    .basicsize = sizeof(Forms),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = Forms_slots,
};

static int add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    int failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

int veil_add_tokens(PyObject *module)
{
    return add_type(module, &Latin_spec) < 0 || add_type(module, &Forms_spec) < 0 ? -1 : 0;
}
