import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIP } from "node:net";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from "@peculiar/asn1-x509";

export interface KeyPair {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

export interface Lifetime {
  readonly from: Date;
  readonly until: Date;
}

const COMMON_NAME = "2.5.4.3";
const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";

const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/**
 * Creates an authority whose certificates are valid only for these names and networks. So a stolen key cannot impersonate
 * any other site to the devices that trust the authority.
 *
 * Not @peculiar/x509: it has no name constraints, so asn1-x509 would stay. It also needs reflect-metadata, works
 * asynchronously, and adds a dozen packages and 7 MB of memory.
 */
export function makeRoot(
  about: { name: string; names: readonly string[]; networks: readonly string[] } & Lifetime,
): KeyPair {
  const key = newKey();
  const permitted = [
    ...about.names.map((dNSName) => new GeneralName({ dNSName })),
    ...about.networks.map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  const subtrees = permitted.map((base) => new GeneralSubtree({ base }));
  const certificate = signed({
    ...about,
    subject: nameOf(about.name),
    issuer: nameOf(about.name),
    key,
    by: key,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_nameConstraints, new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) }), true),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(key))),
    ],
  });
  return { certificate, key };
}

/** Creates a server's certificate for names and IP addresses. The root must permit all of them. */
export function makeLeaf(root: KeyPair, about: { name: string; names: readonly string[] } & Lifetime): KeyPair {
  const key = newKey();
  const issuer = AsnConvert.parse(root.certificate.raw, Certificate).tbsCertificate.subject;
  const names = about.names.map((name) => new GeneralName(isIP(name) ? { iPAddress: name } : { dNSName: name }));
  const authority = new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdOf(root.key)) });
  const certificate = signed({
    ...about,
    subject: nameOf(about.name),
    issuer,
    key,
    by: root.key,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names)),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(key))),
      extension(id_ce_authorityKeyIdentifier, authority),
    ],
  });
  return { certificate, key };
}

interface Signing extends Lifetime {
  subject: Name;
  issuer: Name;
  key: KeyObject;
  by: KeyObject;
  extensions: Extension[];
}

function signed({ subject, issuer, key, by, from, until, extensions }: Signing): X509Certificate {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const serial = randomBytes(16);
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40; // always positive, with the same length
  const tbsCertificate = new TBSCertificate({
    version: 2, // X.509 v3
    serialNumber: bytesOf(serial),
    signature: algorithm,
    issuer,
    validity: new Validity({ notBefore: from, notAfter: until }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(publicDer(key), SubjectPublicKeyInfo),
    extensions: new Extensions(extensions),
  });
  const signature = sign("sha256", Buffer.from(AsnConvert.serialize(tbsCertificate)), by);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(signature),
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)));
}

const extension = (extnID: string, value: object, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

function nameOf(name: string): Name {
  const value = new AttributeValue({ utf8String: name });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

const publicDer = (key: KeyObject): Buffer => createPublicKey(key).export({ type: "spki", format: "der" });

/** RFC 7093: the first 160 bits of the SHA-256 of the public key. */
function keyIdOf(key: KeyObject): ArrayBuffer {
  const { subjectPublicKey } = AsnConvert.parse(publicDer(key), SubjectPublicKeyInfo);
  return bytesOf(createHash("sha256").update(Buffer.from(subjectPublicKey)).digest().subarray(0, 20));
}

function bytesOf(buffer: Uint8Array): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
