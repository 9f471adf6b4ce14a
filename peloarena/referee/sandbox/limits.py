"""How much of the machine one bot may use. Plain numbers; does not know how they are enforced."""

import msgspec

MIB = 1024 * 1024


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    memory_mib: int = 1024
    """For the whole tree, its /tmp included."""
    processes: int = 64
    """Processes and threads together, as the kernel counts them. A JVM on two cores takes about 25, Node about 12."""
    tmp_mib: int = 64
    """Private /tmp, and as much again for /dev/shm."""
    file_mib: int = 256
    """The largest single file; what bounds a build in its writable folder."""
    open_files: int = 1024

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")

    @property
    def memory_bytes(self) -> int:
        return self.memory_mib * MIB
