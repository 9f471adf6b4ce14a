/* A bot that costs next to nothing: a legal move by a small generator, after thinking argv[1] microseconds and writing
   argv[2] single bytes to stderr.
   It reads just enough of the lines as peloarena writes them; a bot for play should read JSON (bots/tiny-c). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char line[1 << 20];
static uint32_t dice = 1;

static void think(long nanoseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < nanoseconds);
}

static void say(const char *text, size_t length) {
    if (write(1, text, length) != (ssize_t)length) exit(1);
}

static int moves(const char *legal) {
    int count = 0;
    for (; *legal != ']'; legal++) count += *legal == '{';
    return count;
}

static void chat(long writes) {
    while (writes-- > 0)
        if (write(2, ".", 1) != 1) exit(1);
}

static void answer(long nanoseconds) {
    static char text[100];
    const char *id = strstr(line, "\"id\":"), *legal = strstr(line, "\"legal\":[");
    dice = dice * 1664525u + 1013904223u;
    if (nanoseconds) think(nanoseconds);
    unsigned index = (dice >> 16) % (unsigned)moves(legal + 9);
    say(text, (size_t)sprintf(text, "{\"type\":\"answer\",\"id\":%d,\"index\":%u}\n", atoi(id + 5), index));
}

static int read_line(void) {
    size_t length = 0;
    do {
        ssize_t got = read(0, line + length, sizeof line - 1 - length);
        if (got <= 0) return 0;
        length += (size_t)got;
    } while (line[length - 1] != '\n');
    line[length] = 0;
    return 1;
}

int main(int count, char **words) {
    long nanoseconds = count > 1 ? atol(words[1]) * 1000 : 0, writes = count > 2 ? atol(words[2]) : 0;
    static const char hello[] = "{\"type\":\"hello\",\"name\":\"trivial\"}\n", ready[] = "{\"type\":\"ready\"}\n";
    while (read_line()) {
        /* A `gameover` and the `newgame` after it may come in one read: then the last line counts. */
        char *last = line, *next;
        while ((next = strchr(last, '\n')) && next[1]) last = next + 1;
        if (last != line) memmove(line, last, strlen(last) + 1);
        if (strstr(line, "\"type\":\"decide\"")) chat(writes), answer(nanoseconds);
        else if (strstr(line, "\"type\":\"hello\"")) say(hello, sizeof hello - 1);
        else if (strstr(line, "\"type\":\"newgame\"")) dice = 1, say(ready, sizeof ready - 1);
        else if (strstr(line, "\"type\":\"quit\"")) return 0;
    }
    return 0;
}
