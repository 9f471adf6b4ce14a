/* The first legal move after waiting 3 ms without using the CPU: its games take as long on a busy machine. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) puts("{\"type\":\"hello\",\"name\":\"waits\"}");
        else if (!strncmp(line, "{\"type\":\"newgame\"", 17)) puts("{\"type\":\"ready\"}");
        else if (!strncmp(line, "{\"type\":\"decide\",\"id\":", 22)) {
            usleep(3000);
            printf("{\"type\":\"answer\",\"id\":%ld,\"index\":0}\n", strtol(line + 22, NULL, 10));
        } else if (!strncmp(line, "{\"type\":\"quit\"", 14)) break;
        fflush(stdout);
    }
    return 0;
}
