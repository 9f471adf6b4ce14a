/* The smallest bot in C that plays: always the first legal move. Finds `"id":N` by hand. */
#include <stdio.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        int number = 0;
        if (strstr(line, "\"type\":\"hello\"")) puts("{\"type\":\"hello\",\"name\":\"first\",\"wants\":\"events\"}");
        else if (strstr(line, "\"type\":\"newgame\"")) puts("{\"type\":\"ready\"}");
        else if (strstr(line, "\"type\":\"decide\"") && id && sscanf(id, "\"id\":%d", &number) == 1)
            printf("{\"type\":\"answer\",\"id\":%d,\"index\":0}\n", number);
        else if (strstr(line, "\"type\":\"quit\"")) break;
        fflush(stdout);
    }
    return 0;
}
