/* Plays the first legal move and leaves in the middle of every game of a night, though not of its trial: the first two
   processes, which make the file TRIED and one beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t size = 0;
    long left = 0;
    FILE *tried = fopen(TRIED, "wx");
    if (!tried) tried = fopen(TRIED "-again", "wx");
    if (tried) fclose(tried);
    while (getline(&line, &size, stdin) > 0) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) puts("{\"type\":\"hello\",\"name\":\"falls\"}");
        else if (!strncmp(line, "{\"type\":\"newgame\"", 17)) {
            left = tried ? 1000000 : 5;
            puts("{\"type\":\"ready\"}");
        } else if (!strncmp(line, "{\"type\":\"decide\",\"id\":", 22)) {
            if (!left--) return 3;
            printf("{\"type\":\"answer\",\"id\":%ld,\"index\":0}\n", strtol(line + 22, NULL, 10));
        } else if (!strncmp(line, "{\"type\":\"quit\"", 14)) break;
        fflush(stdout);
    }
    return 0;
}
