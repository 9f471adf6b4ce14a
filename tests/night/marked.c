/* A bot for the long night: says on stderr in every game who it is, so that a test can tell which files played.

       ./bot MARK STYLE

   STYLE first, last or turns (first and last by turns): the legal move that it plays. `falls` leaves in the middle of
   a game while the file FALLING exists, `dies` at its beginning. `waits` thinks while WAITING exists, and everybody
   while HALT does: so a test can stop a night in which everything is quick. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long last_of(const char *at) {
    long depth = 0, count = 0;
    for (at = strstr(at, "\"legal\":[") + 9; depth || *at != ']'; at++) {
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
        if (*at == ',' && !depth) count++;
    }
    return count;
}

int main(int count, char **words) {
    char *line = NULL;
    size_t size = 0;
    long left = 0;
    if (count != 3) return 2;
    const char *style = words[2];
    while (getline(&line, &size, stdin) > 0) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) puts("{\"type\":\"hello\",\"name\":\"marked\"}");
        else if (!strncmp(line, "{\"type\":\"newgame\"", 17)) {
            fprintf(stderr, "mark %s\n", words[1]);
            if (!strcmp(style, "dies")) return 3;
            left = !strcmp(style, "falls") && !access(FALLING, F_OK) ? 5 : 1000000;
            puts("{\"type\":\"ready\"}");
        } else if (!strncmp(line, "{\"type\":\"decide\",\"id\":", 22)) {
            long id = strtol(line + 22, NULL, 10);
            if (!left--) return 3;
            while (!access(HALT, F_OK) || (!strcmp(style, "waits") && !access(WAITING, F_OK))) usleep(1000);
            int last = !strcmp(style, "last") || (!strcmp(style, "turns") && id % 2);
            printf("{\"type\":\"answer\",\"id\":%ld,\"index\":%ld}\n", id, last ? last_of(line) : 0);
        } else if (!strncmp(line, "{\"type\":\"quit\"", 14)) break;
        fflush(stdout);
    }
    return 0;
}
