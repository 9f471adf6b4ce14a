"""A library that tells which program loaded it, by whose rights: for tests of what a bot's environment can reach."""

WITNESS = """
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void tell(void) {
    char name[64] = {0}, caps[64] = {0}, line[256];
    FILE *comm = fopen("/proc/self/comm", "r"), *status = fopen("/proc/self/status", "r");
    if (comm) fscanf(comm, "%63s", name);
    while (status && fgets(line, sizeof line, status)) sscanf(line, "CapEff: %63s", caps);
    fprintf(stderr, "loaded into %s uid %d caps %s\\n", name, (int)getuid(), caps);
}
unsigned la_version(unsigned version) { return version; }
int gconv_init(void *step) { return 1; }
int gconv(void *step) { return 1; }
"""
"""Tells from where it is loaded: as any library, as one that audits the linker, as a character set."""
