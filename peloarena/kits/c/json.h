/* JSON, read only: as much of it as a bot needs. json_read makes a tree of a line and keeps texts inside that line, so
 * the line must live as long as the tree. One `free` of the root frees the tree. Everything may be asked of NULL, which
 * stands for what is not there. */
#ifndef JSON_H
#define JSON_H

#include <stdlib.h>
#include <string.h>

typedef struct Json {
    char kind;                /* '{' '[' '"' '0' (a number) 't' 'f' 'n' */
    long long number;         /* its whole part */
    const char *text;         /* UTF-8 */
    const char *key;          /* in an object */
    struct Json *first, *next; /* what is inside, and what stands beside it */
} Json;

enum { JSON_DEEPEST = 200 };

typedef struct { char *at; Json *nodes; size_t used; int depth; } JsonReader;

static inline void json_space(JsonReader *in) { in->at += strspn(in->at, " \t\r\n"); }

/* Four hex digits; -1 if they are none. */
static inline long json_hex(const char *at)
{
    long code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *found = at[i] ? strchr(digits, at[i] | 32) : NULL;
        if (!found || (at[i] < '0')) return -1;
        code = code * 16 + (found - digits);
    }
    return code;
}

static inline char *json_utf8(char *to, long code)
{
    if (code < 0x80) { *to++ = (char)code; return to; }
    if (code < 0x800) { *to++ = (char)(0xC0 | code >> 6); }
    else {
        if (code < 0x10000) { *to++ = (char)(0xE0 | code >> 12); }
        else { *to++ = (char)(0xF0 | code >> 18); *to++ = (char)(0x80 | (code >> 12 & 63)); }
        *to++ = (char)(0x80 | (code >> 6 & 63));
    }
    *to++ = (char)(0x80 | (code & 63));
    return to;
}

/* The text after an opening quote, written over itself: it only gets shorter. NULL if it is wrong. */
static inline char *json_string(JsonReader *in)
{
    char *start = in->at, *to = start;
    while (*in->at != '"') {
        const char *escapes = "\"\\/bfnrt", *means = "\"\\/\b\f\n\r\t";
        if ((unsigned char)*in->at < ' ') return NULL;
        if (*in->at != '\\') { *to++ = *in->at++; continue; }
        char escaped = in->at[1];
        if (escaped == 'u') {
            long code = json_hex(in->at + 2), low = -1;
            if (code < 0) return NULL;
            in->at += 6;
            if (code >> 10 == 0x36 && in->at[0] == '\\' && in->at[1] == 'u') low = json_hex(in->at + 2);
            if (low >> 10 == 0x37) { code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF); in->at += 6; }
            if (code >= 0xD800 && code < 0xE000) return NULL; /* half a pair */
            to = json_utf8(to, code);
        } else {
            const char *found = escaped ? strchr(escapes, escaped) : NULL;
            if (!found) return NULL;
            *to++ = means[found - escapes];
            in->at += 2;
        }
    }
    in->at++;
    *to = 0;
    return start;
}

static inline Json *json_value(JsonReader *in);

/* What is inside an object or a list, linked. 0 if it is wrong. */
static inline int json_inside(JsonReader *in, Json *around, char close)
{
    Json **link = &around->first;
    for (in->at++, json_space(in); *in->at != close; json_space(in)) {
        char *key = NULL;
        if (around->first && *in->at++ != ',') return 0;
        json_space(in);
        if (close == '}') {
            if (*in->at++ != '"' || !(key = json_string(in))) return 0;
            json_space(in);
            if (*in->at++ != ':') return 0;
        }
        if (!(*link = json_value(in))) return 0;
        (*link)->key = key;
        link = &(*link)->next;
    }
    in->at++;
    return 1;
}

static inline int json_number(JsonReader *in, Json *node)
{
    static const char *DIGITS = "0123456789";
    char *at = in->at + (*in->at == '-');
    size_t digits = *at == '0' ? 1 : strspn(at, DIGITS);
    if (!digits) return 0;
    at += digits;
    if (*at == '.') { at++, at += digits = strspn(at, DIGITS); if (!digits) return 0; }
    if (*at == 'e' || *at == 'E') {
        at++, at += *at == '+' || *at == '-';
        at += digits = strspn(at, DIGITS);
        if (!digits) return 0;
    }
    double number = strtod(in->at, NULL);
    if (number - number != 0) return 0; /* beyond all numbers */
    node->number = number > -9e15 && number < 9e15 ? (long long)number : 0;
    in->at = at;
    return 1;
}

static inline Json *json_value(JsonReader *in)
{
    static const char *WORDS[] = {"true", "false", "null"};
    json_space(in);
    Json *node = &in->nodes[in->used++];
    node->kind = *in->at;
    if (++in->depth > JSON_DEEPEST) return NULL;
    int good = 0;
    if (*in->at == '{' || *in->at == '[') good = json_inside(in, node, *in->at == '{' ? '}' : ']');
    else if (*in->at == '"') { in->at++; good = (node->text = json_string(in)) != NULL; }
    else if (*in->at == '-' || (*in->at >= '0' && *in->at <= '9')) { node->kind = '0'; good = json_number(in, node); }
    else
        for (int i = 0; i < 3; i++)
            if (!strncmp(in->at, WORDS[i], strlen(WORDS[i]))) { in->at += strlen(WORDS[i]); good = 1; break; }
    in->depth--;
    return good ? node : NULL;
}

/* The tree of a line, or NULL if it is no JSON. */
static inline Json *json_read(char *line)
{
    size_t most = 2; /* a value is the first, or comes after one of these */
    for (const char *at = line; *at; at++) most += *at == ',' || *at == '[' || *at == '{';
    JsonReader in = {line, calloc(most, sizeof(Json)), 0, 0};
    if (!in.nodes) return NULL;
    if (json_value(&in) && (json_space(&in), !*in.at)) return in.nodes;
    free(in.nodes);
    return NULL;
}

/* The value under a key, the item at a place; NULL if there is none. */
static inline const Json *json_get(const Json *object, const char *key)
{
    const Json *at = object && object->kind == '{' ? object->first : NULL;
    while (at && strcmp(at->key, key)) at = at->next;
    return at;
}

static inline const Json *json_item(const Json *list, long long place)
{
    const Json *at = list && list->kind == '[' && place >= 0 ? list->first : NULL;
    while (at && place-- > 0) at = at->next;
    return at;
}

static inline const char *json_text(const Json *value) { return value && value->text ? value->text : ""; }
static inline long long json_int(const Json *value) { return value ? value->number : 0; }

#endif
