"""Certificates for one tournament: only their owners are in the cluster. Makes files; knows no Dask.

`ca-key.pem` makes members: it stays with the host, and can be removed when all members have theirs. NAME.pem contains
the key and the certificate of one member.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from ..game import ConfigError
from .address import CA_FILE, HOST_FILE

CA_KEY_FILE = "ca-key.pem"
VALIDITY_DAYS = 30
MEMBER_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
RESERVED_NAMES = {Path(name).stem for name in (CA_FILE, CA_KEY_FILE)}


def make_certificates(folder: Path, names: Sequence[str], now: datetime.datetime) -> list[Path]:
    """Returns the written files. An existing CA makes more members; no existing file is replaced."""
    for name in names:
        if name in RESERVED_NAMES:
            raise ConfigError(f"{name!r}: {name}.pem is the CA's own file; give the member another name")
        if not MEMBER_NAME_PATTERN.fullmatch(name):
            raise ConfigError(f"{name!r}: a member's name may contain only letters, digits, '.', '_' and '-'")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    written: list[Path] = []
    authority, key = _load_or_make_authority(folder, now, written)
    for name in dict.fromkeys((Path(HOST_FILE).stem, *names)):
        path = folder / f"{name}.pem"
        if not path.exists():
            own = ec.generate_private_key(ec.SECP256R1())
            _write(path, _pem(own) + _make_certificate(name, own, authority, key, now), 0o600)
            written.append(path)
    return written


def _load_or_make_authority(
    folder: Path, now: datetime.datetime, written: list[Path]
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    ca, ca_key = folder / CA_FILE, folder / CA_KEY_FILE
    if not ca.exists() and not ca_key.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name("peloarena tournament")
        usage = x509.BasicConstraints(ca=True, path_length=0)
        made = _builder(name, name, key, now).add_extension(usage, critical=True).sign(key, hashes.SHA256())
        _write(ca_key, _pem(key), 0o600)
        _write(ca, made.public_bytes(serialization.Encoding.PEM), 0o644)
        written += [ca, ca_key]
    try:
        certificate = x509.load_pem_x509_certificate(ca.read_bytes())
        loaded = serialization.load_pem_private_key(ca_key.read_bytes(), None)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{str(folder)!r}: cannot read {CA_FILE} and {CA_KEY_FILE}, which are needed to add members: {error}"
        ) from None
    if not isinstance(loaded, ec.EllipticCurvePrivateKey):
        raise ConfigError(f"{str(ca_key)!r}: peloarena did not make this key")
    return certificate, loaded


def _make_certificate(
    name: str,
    member_key: ec.EllipticCurvePrivateKey,
    authority: x509.Certificate,
    ca_key: ec.EllipticCurvePrivateKey,
    now: datetime.datetime,
) -> bytes:
    builder = _builder(_name(name), authority.subject, member_key, now)
    usage = x509.BasicConstraints(ca=False, path_length=None)
    signed = builder.add_extension(usage, critical=True).sign(ca_key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime.datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))  # clocks of laptops differ
        .not_valid_after(now + datetime.timedelta(days=VALIDITY_DAYS))
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)


def _write(path: Path, data: bytes, mode: int) -> None:
    """Readable only by its owner from the first moment."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
