/* Quick reads of Struct fields for the compiled rules (compile_rules.py puts it before what mypyc writes).

mypyc knows the fields of its own classes only; every `seat.coin` of a msgspec Struct goes through PyObject_GetAttr. Here
each such place remembers the last type it met and where the field lies in it, as CPython's own interpreter does. What is
used is the public C API. A field is remembered only where a read can have no other meaning: a member descriptor of a
type with the ordinary look-up. Whatever else is read, or read first, takes the ordinary way. */

#pragma once

#include <Python.h>
#include <structmember.h>
#include "CPy.h"

#if defined(__GNUC__) && !defined(Py_GIL_DISABLED)

typedef struct {
    PyTypeObject *type; /* owned, as the name is: what is remembered is never freed, so its address stays its own */
    PyObject *name;     /* not always the same in a place: getattr(seat, resource) */
    Py_ssize_t offset;
    int learned;
} peloarena_place;

/* A place that meets many types in turn (the seat of any step) would learn for ever: it goes the ordinary way. */
#define PELOARENA_LEARNS 16

static __attribute__((noinline, unused)) PyObject *
peloarena_read(PyObject *object, PyObject *name, peloarena_place *place)
{
    PyTypeObject *type = Py_TYPE(object);
    if (place->learned < PELOARENA_LEARNS && type->tp_getattro == PyObject_GenericGetAttr) {
        place->learned++;
        PyObject *found = PyObject_GetAttr((PyObject *)type, name);
        if (found == NULL) {
            PyErr_Clear();
        } else {
            if (Py_TYPE(found) == &PyMemberDescr_Type && PyType_IsSubtype(type, ((PyMemberDescrObject *)found)->d_common.d_type)) {
                PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
                if (member->type == T_OBJECT_EX) {
                    Py_INCREF(type);
                    Py_XSETREF(place->type, type);
                    Py_INCREF(name);
                    Py_XSETREF(place->name, name);
                    place->offset = member->offset;
                }
            }
            Py_DECREF(found);
        }
    }
    return PyObject_GetAttr(object, name);
}

static inline PyObject *
peloarena_field(PyObject *object, PyObject *name, peloarena_place *place)
{
    if (likely(Py_TYPE(object) == place->type && name == place->name)) {
        PyObject *value = *(PyObject **)((char *)object + place->offset);
        if (likely(value != NULL)) {
            Py_INCREF(value);
            return value;
        }
    }
    return peloarena_read(object, name, place);
}

#undef CPyObject_GetAttr
#define CPyObject_GetAttr(object, name) \
    ({ static peloarena_place place; peloarena_field((object), (name), &place); })

#endif
