/* Scores of a linear model: sums of rows of weights.
 *
 * The twins of this part are veil/detect/linear/scoring.py and weights.py. The numbers of a token
 * are added in the same order as there, so that the sums are exactly the same.
 */
#include "native.h"
#include <string.h>

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* Tokens whose rows are added together, how many tokens ahead rows are fetched, the bytes that are
 * fetched at once, and the rows of packed tables that are unpacked. */
enum { TOGETHER = 64, AHEAD = 6, CACHE_LINE = 64, FREQUENT = 2 };

/* ---- Weights -------------------------------------------------------------------------------- */

/* Rows of weights: as numbers, or packed as in weights.py. */
typedef struct {
    int is_packed;
    Py_buffer weights; /* of all numbers, if not packed */
    Py_buffer bounds, tags, steps, scale;
    Py_ssize_t rows;
    /* The first rows as numbers: most tokens have a value that is rare, or none. */
    float *frequent;
} Block;

static void release_block(Block *block)
{
    if (!block->is_packed) {
        PyBuffer_Release(&block->weights);
        return;
    }
    PyMem_Free(block->frequent);
    PyBuffer_Release(&block->bounds);
    PyBuffer_Release(&block->tags);
    PyBuffer_Release(&block->steps);
    PyBuffer_Release(&block->scale);
}

static int get_packed(PyObject *object, Block *block)
{
    PyObject *bounds, *tags, *steps, *scale;
    Py_ssize_t tag_size = -1;
    if (!PyArg_ParseTuple(object, "OOOO", &bounds, &tags, &steps, &scale))
        return -1;
    PyObject *size = PyObject_GetAttrString(tags, "itemsize");
    if (size != NULL)
        tag_size = PyLong_AsSsize_t(size);
    Py_XDECREF(size);
    if (PyErr_Occurred())
        return -1;
    if (veil_get_buffer(bounds, &block->bounds, sizeof(uint32_t), 0) < 0)
        return -1;
    if (veil_get_buffer(tags, &block->tags, tag_size == 1 ? 1 : 2, 0) < 0)
        goto release_bounds;
    if (veil_get_buffer(steps, &block->steps, 1, 0) < 0)
        goto release_tags;
    if (veil_get_buffer(scale, &block->scale, 2, 0) < 0)
        goto release_steps;
    block->rows = block->scale.len / 2;
    if (block->bounds.len == (block->rows + 1) * 4 &&
        block->tags.len == block->steps.len * block->tags.itemsize)
        return 0;
    PyErr_SetString(PyExc_ValueError, "packed weights need bounds and a scale for each row");
    PyBuffer_Release(&block->scale);
release_steps:
    PyBuffer_Release(&block->steps);
release_tags:
    PyBuffer_Release(&block->tags);
release_bounds:
    PyBuffer_Release(&block->bounds);
    return -1;
}

/* A number of half precision, which is exact in single precision. */
static float as_float(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7FFF) << 13;
    float number;
    if (0x7C00 <= (half & 0x7FFF))
        bits |= 0x7F800000; /* infinite or undefined */
    memcpy(&number, &bits, sizeof number);
    if (bits < 0x7F800000)
        number *= 0x1p112f; /* the exponents of the two have different biases */
    return half & 0x8000 ? -number : number;
}

static void add_numbers(const float *restrict row, float *restrict sum, Py_ssize_t width)
{
    for (Py_ssize_t tag = 0; tag < width; tag++)
        sum[tag] += row[tag];
}

/* Add a row, which must exist, to a sum; -1 if a row reaches beyond the weights or tags. */
static inline int add_row(const Block *block, Py_ssize_t row, float *sum, Py_ssize_t width)
{
    if (!block->is_packed) {
        add_numbers((const float *)block->weights.buf + row * width, sum, width);
        return 0;
    }
    if (row < FREQUENT && block->frequent != NULL) {
        add_numbers(block->frequent + row * width, sum, width);
        return 0;
    }
    const uint32_t *bounds = block->bounds.buf;
    Py_ssize_t at = bounds[row], end = bounds[row + 1];
    if (at == end)
        return 0;
    if (end < at || block->steps.len < end)
        return -1;
    const int8_t *steps = block->steps.buf;
    const uint8_t *small = block->tags.buf;
    const uint16_t *large = block->tags.buf;
    int is_small = block->tags.itemsize == 1;
    float scale = as_float(((const uint16_t *)block->scale.buf)[row]);
    for (; at < end; at++) {
        Py_ssize_t tag = is_small ? small[at] : large[at];
        if (width <= tag)
            return -1;
        sum[tag] += (float)steps[at] * scale;
    }
    return 0;
}

/* Fetch the bounds of a packed row. */
static inline void fetch_bounds(const Block *block, int32_t row)
{
    if (0 <= row && row < block->rows) {
        PREFETCH((const uint32_t *)block->bounds.buf + row);
        PREFETCH((const uint16_t *)block->scale.buf + row);
    }
}

/* Fetch a row that is added soon; one that does not exist is found when it is added. */
static inline void fetch_row(const Block *block, int32_t row, Py_ssize_t width)
{
    if (row < FREQUENT || block->rows <= row)
        return;
    if (block->is_packed) {
        uint32_t at = ((const uint32_t *)block->bounds.buf)[row];
        PREFETCH((const int8_t *)block->steps.buf + at);
        PREFETCH((const char *)block->tags.buf + at * (size_t)block->tags.itemsize);
        return;
    }
    const char *start = (const char *)((const float *)block->weights.buf + row * width);
    for (Py_ssize_t at = 0; at < width * (Py_ssize_t)sizeof(float); at += CACHE_LINE)
        PREFETCH(start + at);
}

static int raise_out_of_range(void)
{
    PyErr_SetString(PyExc_ValueError, "a number is out of the range of its table");
    return -1;
}

static int get_dense(PyObject *object, Block *block, Py_ssize_t width)
{
    if (veil_get_buffer(object, &block->weights, sizeof(float), 0) < 0)
        return -1;
    Py_ssize_t row_size = width * (Py_ssize_t)sizeof(float);
    block->rows = block->weights.len / row_size;
    if (block->weights.len == block->rows * row_size)
        return 0;
    PyErr_SetString(PyExc_ValueError, "the weights are of another number of tags");
    PyBuffer_Release(&block->weights);
    return -1;
}

/* Get weights; with `unpack`, the first rows of packed ones as numbers too. */
static int get_block(PyObject *object, Block *block, Py_ssize_t width, int unpack)
{
    block->is_packed = PyTuple_Check(object);
    if (!block->is_packed)
        return get_dense(object, block, width);
    if (get_packed(object, block) < 0)
        return -1;
    if (!unpack || block->rows < FREQUENT)
        return 0;
    float *frequent = PyMem_Calloc((size_t)(FREQUENT * width), sizeof *frequent);
    int failed = frequent == NULL;
    if (failed)
        PyErr_NoMemory();
    for (Py_ssize_t row = 0; !failed && row < FREQUENT; row++)
        failed = add_row(block, row, frequent + row * width, width) < 0 && raise_out_of_range();
    if (failed) {
        PyMem_Free(frequent);
        release_block(block);
        return -1;
    }
    block->frequent = frequent;
    return 0;
}

/* ---- Scorer --------------------------------------------------------------------------------- */

/* A block, the feature whose ids are its rows, and the offset at which it is read. */
typedef struct {
    Block block;
    Py_ssize_t feature; /* a column of forms, or an index among arrays of ids */
    Py_ssize_t place; /* an index of an offset, or an offset */
    Py_ssize_t usual; /* the id of the row that is all 0, or -1 */
} Table;

typedef struct {
    Table *tables;
    Py_ssize_t count;
} Tables;

typedef struct {
    PyObject_HEAD
    Py_ssize_t width, pads;
    Py_ssize_t *offsets;
    Py_ssize_t offset_count;
    float *constant;
    Tables forms, lines, before, behind, places;
} Scorer;

static void release_tables(Tables *tables)
{
    for (Py_ssize_t index = 0; index < tables->count; index++)
        release_block(&tables->tables[index].block);
    PyMem_Free(tables->tables);
    tables->tables = NULL;
    tables->count = 0;
}

/* Get tables from a list of (feature, place, usual, weights). */
static int get_tables(PyObject *list, Tables *tables, Py_ssize_t width, int unpack)
{
    Py_ssize_t count = PyList_Size(list);
    if (count < 0)
        return -1;
    tables->tables = PyMem_Calloc((size_t)count + 1, sizeof *tables->tables);
    if (tables->tables == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        Table *table = &tables->tables[index];
        PyObject *block, *item = PyList_GetItem(list, index);
        if (item == NULL ||
            !PyArg_ParseTuple(item, "nnnO", &table->feature, &table->place, &table->usual, &block) ||
            get_block(block, &table->block, width, unpack) < 0)
            return -1;
        tables->count++;
    }
    return 0;
}

static void Scorer_release(Scorer *self)
{
    release_tables(&self->forms);
    release_tables(&self->lines);
    release_tables(&self->before);
    release_tables(&self->behind);
    release_tables(&self->places);
    PyMem_Free(self->offsets);
    PyMem_Free(self->constant);
    self->offsets = NULL;
    self->constant = NULL;
    self->offset_count = 0;
}

static int get_offsets(Scorer *self, PyObject *list)
{
    Py_ssize_t count = PyList_Size(list);
    if (count < 0)
        return -1;
    if ((self->offsets = PyMem_Calloc((size_t)count + 1, sizeof *self->offsets)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; self->offset_count < count; self->offset_count++) {
        PyObject *item = PyList_GetItem(list, self->offset_count);
        Py_ssize_t offset = item == NULL ? -1 : PyLong_AsSsize_t(item);
        if (offset == -1 && PyErr_Occurred())
            return -1;
        self->offsets[self->offset_count] = offset;
    }
    return 0;
}

static int get_constant(Scorer *self, PyObject *object)
{
    Py_buffer view;
    if (veil_get_buffer(object, &view, sizeof(float), 0) < 0)
        return -1;
    self->width = view.len / (Py_ssize_t)sizeof(float);
    self->constant = PyMem_Malloc((size_t)view.len + 1);
    if (self->constant != NULL)
        memcpy(self->constant, view.buf, (size_t)view.len);
    else
        PyErr_NoMemory();
    PyBuffer_Release(&view);
    if (self->constant != NULL && self->width < 1)
        PyErr_SetString(PyExc_ValueError, "a model has at least one tag");
    return PyErr_Occurred() ? -1 : 0;
}

/* Whether tables read no token beyond the padding. */
static int are_within(const Tables *tables, Py_ssize_t pads)
{
    for (Py_ssize_t index = 0; index < tables->count; index++) {
        const Table *table = &tables->tables[index];
        if (table->feature < 0 || table->place < -pads || pads < table->place)
            return 0;
    }
    return 1;
}

/* Whether all tables read only existing tokens of a stream and rows of forms. */
static int fits(const Scorer *self)
{
    for (Py_ssize_t index = 0; index < self->offset_count; index++)
        if (self->offsets[index] < -self->pads || self->pads < self->offsets[index])
            return 0;
    for (Py_ssize_t index = 0; index < self->forms.count; index++) {
        const Table *table = &self->forms.tables[index];
        if (table->feature < 0 || table->place < 0 || self->offset_count <= table->place)
            return 0;
    }
    for (Py_ssize_t index = 0; index < self->lines.count; index++)
        if (self->lines.tables[index].feature < 0)
            return 0;
    return are_within(&self->before, self->pads) && are_within(&self->behind, self->pads) &&
           are_within(&self->places, self->pads) && 0 <= self->pads;
}

static int Scorer_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"constant", "offsets", "pads",   "forms", "lines",
                            "before",   "behind",  "places", NULL};
    Scorer *self = (Scorer *)object;
    PyObject *constant, *offsets, *forms, *lines, *before, *behind, *places;
    if (self->constant != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the object is initialised already");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OOnOOOOO", names, &constant, &offsets,
                                     &self->pads, &forms, &lines, &before, &behind, &places))
        return -1;
    if (get_constant(self, constant) < 0 || get_offsets(self, offsets) < 0 ||
        get_tables(forms, &self->forms, self->width, 0) < 0 ||
        get_tables(lines, &self->lines, self->width, 0) < 0 ||
        get_tables(before, &self->before, self->width, 1) < 0 ||
        get_tables(behind, &self->behind, self->width, 1) < 0 ||
        get_tables(places, &self->places, self->width, 1) < 0) {
        Scorer_release(self);
        return -1;
    }
    if (!fits(self)) {
        Scorer_release(self);
        return raise_out_of_range();
    }
    return 0;
}

static void Scorer_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Scorer_release((Scorer *)object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- The rows of forms ---------------------------------------------------------------------- */

static int add_form(const Scorer *self, const int32_t *values, Py_ssize_t columns, float *rows)
{
    memset(rows, 0, (size_t)(self->offset_count * self->width) * sizeof *rows);
    for (Py_ssize_t index = 0; index < self->forms.count; index++) {
        const Table *table = &self->forms.tables[index];
        if (columns <= table->feature)
            return -1;
        int32_t value = values[table->feature];
        if (value < 0 || table->block.rows <= value ||
            add_row(&table->block, value, rows + table->place * self->width, self->width) < 0)
            return -1;
    }
    return 0;
}

static PyObject *Scorer_add_forms(PyObject *object, PyObject *arguments)
{
    Scorer *self = (Scorer *)object;
    PyObject *values_object, *rows_object;
    Py_ssize_t columns, first, stop;
    Py_buffer values, rows;
    if (!PyArg_ParseTuple(arguments, "OnOnn", &values_object, &columns, &rows_object, &first,
                          &stop))
        return NULL;
    if (veil_get_buffer(values_object, &values, sizeof(int32_t), 0) < 0)
        return NULL;
    if (veil_get_buffer(rows_object, &rows, sizeof(float), 1) < 0) {
        PyBuffer_Release(&values);
        return NULL;
    }
    Py_ssize_t row_size = self->offset_count * self->width;
    int failed = first < 0 || stop < first || columns < 0 ||
                 (0 < columns && values.len / 4 / columns < stop) ||
                 (0 < row_size && rows.len / 4 / row_size < stop) || self->constant == NULL;
    for (Py_ssize_t form = first; !failed && form < stop; form++)
        failed = add_form(self, (const int32_t *)values.buf + form * columns, columns,
                          (float *)rows.buf + form * row_size) < 0;
    PyBuffer_Release(&values);
    PyBuffer_Release(&rows);
    if (failed) {
        raise_out_of_range();
        return NULL;
    }
    Py_RETURN_NONE;
}

/* ---- The scores of a stream ----------------------------------------------------------------- */

/* The arrays of a stream: forms and lines of tokens, and ids of features of lines and places. */
typedef struct {
    Py_ssize_t size, line_count, form_count;
    const int32_t *form, *line;
    const float *rows;
    Py_buffer *ids;
    Py_ssize_t ids_count;
    float *sums; /* a row per line */
    float *scores;
} Stream;

static int add_lines(const Scorer *self, const Stream *stream)
{
    for (Py_ssize_t line = 0; line < stream->line_count; line++) {
        float *sum = stream->sums + line * self->width;
        memset(sum, 0, (size_t)self->width * sizeof *sum);
        for (Py_ssize_t index = 0; index < self->lines.count; index++) {
            const Table *table = &self->lines.tables[index];
            int32_t id = ((const int32_t *)stream->ids[table->feature].buf)[line];
            if (id < 0 || table->block.rows <= id ||
                add_row(&table->block, id, sum, self->width) < 0)
                return -1;
        }
        add_numbers(self->constant, sum, self->width);
    }
    return 0;
}

/* Start with the scores of a token's line. */
static int copy_line(const Scorer *self, const Stream *stream, Py_ssize_t token, float *sum)
{
    int32_t line = stream->line[token];
    if (line < 0 || stream->line_count <= line)
        return -1;
    memcpy(sum, stream->sums + line * self->width, (size_t)self->width * sizeof *sum);
    return 0;
}

/* Add the rows of the forms around a token. */
static int add_neighbours(const Scorer *self, const Stream *stream, Py_ssize_t token, float *sum)
{
    Py_ssize_t width = self->width, row_size = self->offset_count * width;
    Py_ssize_t soon = token + self->pads + AHEAD;
    if (soon < stream->size && 0 <= stream->form[soon] &&
        stream->form[soon] < stream->form_count) {
        const char *start = (const char *)(stream->rows + stream->form[soon] * row_size);
        for (Py_ssize_t at = 0; at < row_size * (Py_ssize_t)sizeof(float); at += CACHE_LINE)
            PREFETCH(start + at);
    }
    for (Py_ssize_t index = 0; index < self->offset_count; index++) {
        int32_t form = stream->form[token + self->offsets[index]];
        if (form < 0 || stream->form_count <= form)
            return -1;
        add_numbers(stream->rows + form * row_size + index * width, sum, width);
    }
    return 0;
}

static int add_place(const Scorer *self, const Stream *stream, const Table *table,
                     Py_ssize_t start, Py_ssize_t stop)
{
    const int32_t *ids = (const int32_t *)stream->ids[table->feature].buf + table->place;
    Py_ssize_t last = stream->size - 1 - table->place;
    float *sum = stream->scores + start * self->width;
    for (Py_ssize_t token = start; token < stop; token++, sum += self->width) {
        if (table->block.is_packed && token + 2 * AHEAD <= last)
            fetch_bounds(&table->block, ids[token + 2 * AHEAD]);
        if (table->usual < 0 && token + AHEAD <= last)
            fetch_row(&table->block, ids[token + AHEAD], self->width);
        int32_t id = ids[token];
        if (id == table->usual)
            continue;
        if (id < 0 || table->block.rows <= id || add_row(&table->block, id, sum, self->width) < 0)
            return -1;
    }
    return 0;
}

static int add_places(const Scorer *self, const Stream *stream, const Tables *tables,
                      Py_ssize_t start, Py_ssize_t stop)
{
    for (Py_ssize_t index = 0; index < tables->count; index++)
        if (add_place(self, stream, &tables->tables[index], start, stop) < 0)
            return -1;
    return 0;
}

static int add_all(const Scorer *self, const Stream *stream)
{
    if (add_lines(self, stream) < 0)
        return -1;
    Py_ssize_t end = stream->size - self->pads;
    for (Py_ssize_t start = self->pads; start < end; start += TOGETHER) {
        Py_ssize_t stop = end - start < TOGETHER ? end : start + TOGETHER;
        for (Py_ssize_t token = start; token < stop; token++)
            if (copy_line(self, stream, token, stream->scores + token * self->width) < 0)
                return -1;
        if (add_places(self, stream, &self->before, start, stop) < 0)
            return -1;
        for (Py_ssize_t token = start; token < stop; token++)
            if (add_neighbours(self, stream, token, stream->scores + token * self->width) < 0)
                return -1;
        if (add_places(self, stream, &self->behind, start, stop) < 0 ||
            add_places(self, stream, &self->places, start, stop) < 0)
            return -1;
    }
    return 0;
}

/* Whether there are ids for every table, one for each token or line. */
static int has_ids(const Tables *tables, const Stream *stream, Py_ssize_t size)
{
    for (Py_ssize_t index = 0; index < tables->count; index++) {
        Py_ssize_t feature = tables->tables[index].feature;
        if (stream->ids_count <= feature ||
            stream->ids[feature].len != size * (Py_ssize_t)sizeof(int32_t))
            return 0;
    }
    return 1;
}

static int get_ids(Stream *stream, PyObject *list)
{
    Py_ssize_t count = PyList_Size(list);
    if (count < 0)
        return -1;
    stream->ids = PyMem_Calloc((size_t)count + 1, sizeof *stream->ids);
    if (stream->ids == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; stream->ids_count < count; stream->ids_count++) {
        PyObject *item = PyList_GetItem(list, stream->ids_count);
        if (item == NULL || veil_get_buffer(item, &stream->ids[stream->ids_count], 4, 0) < 0)
            return -1;
    }
    return 0;
}

static PyObject *Scorer_scores(PyObject *object, PyObject *arguments)
{
    Scorer *self = (Scorer *)object;
    PyObject *objects[4], *ids;
    Py_buffer views[4];
    Stream stream = {0};
    int count = 0, failed = 1;
    if (!PyArg_ParseTuple(arguments, "OOnOnOO", &objects[0], &objects[1], &stream.line_count,
                          &objects[2], &stream.form_count, &ids, &objects[3]))
        return NULL;
    for (; count < 4; count++)
        if (veil_get_buffer(objects[count], &views[count], 4, count == 3) < 0)
            goto done;
    if (get_ids(&stream, ids) < 0)
        goto done;
    stream.size = views[0].len / 4;
    stream.form = views[0].buf;
    stream.line = views[1].buf;
    stream.rows = views[2].buf;
    stream.scores = views[3].buf;
    Py_ssize_t row_size = self->offset_count * self->width;
    if (self->constant == NULL || stream.line_count < 0 || stream.size < stream.line_count ||
        stream.form_count < 0 || views[1].len != views[0].len ||
        (0 < row_size && views[2].len / 4 / row_size < stream.form_count) ||
        views[3].len / 4 != stream.size * self->width ||
        !has_ids(&self->before, &stream, stream.size) ||
        !has_ids(&self->behind, &stream, stream.size) ||
        !has_ids(&self->places, &stream, stream.size) ||
        !has_ids(&self->lines, &stream, stream.line_count)) {
        PyErr_SetString(PyExc_ValueError, "the arrays of a stream are of different sizes");
        goto done;
    }
    stream.sums = PyMem_Malloc((size_t)(stream.line_count * self->width + 1) * sizeof(float));
    if (stream.sums == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    failed = add_all(self, &stream) < 0 && raise_out_of_range();
done:
    while (0 < stream.ids_count)
        PyBuffer_Release(&stream.ids[--stream.ids_count]);
    PyMem_Free(stream.ids);
    PyMem_Free(stream.sums);
    while (0 < count)
        PyBuffer_Release(&views[--count]);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- The module ----------------------------------------------------------------------------- */

static PyMethodDef Scorer_methods[] = {
    {"add_forms", Scorer_add_forms, METH_VARARGS,
     "Add up the rows of the forms from `first` to `stop`, one row for each offset."},
    {"scores", Scorer_scores, METH_VARARGS, "Write the scores of the tokens of a stream."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot Scorer_slots[] = {
    {Py_tp_doc, "The weights of a model, in tables by how they are added."},
    {Py_tp_init, (void *)Scorer_init},
    {Py_tp_dealloc, (void *)Scorer_dealloc},
    {Py_tp_methods, Scorer_methods},
    {0, NULL},
};

static PyType_Spec Scorer_spec = {
    .name = "veil._native.Scorer",
    .basicsize = sizeof(Scorer),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = Scorer_slots,
};

int veil_add_scoring(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &Scorer_spec, NULL);
    int failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
