import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes DER: tag, length, content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const octets = (content: Uint8Array): Buffer => der(0x04, content);

/** Encoded object identifiers: ecdsa-with-SHA256, commonName, subjectAltName, basicConstraints. */
const ECDSA_SHA256 = sequence(der(0x06, bytes('2a8648ce3d040302')));
const COMMON_NAME = der(0x06, bytes('550403'));
const ALT_NAME = der(0x06, bytes('551d11'));
const BASIC_CONSTRAINTS = der(0x06, bytes('551d13'));
const TRUE = der(0x01, bytes('ff'));

const utcTime = (time: Date): Buffer => {
	const [date, clock] = time.toISOString().slice(2, 19).split('T');
	return der(0x17, Buffer.from(`${date!.replaceAll('-', '')}${clock!.replaceAll(':', '')}Z`));
};

const nameOf = (name: string): Buffer =>
	sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));

const pem = (label: string, content: Buffer): string => {
	const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
	return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
};

export interface Certificate {
	/** PEM. */
	cert: string;
	key: string;
	/** SHA-256 of the certificate, hex. */
	fingerprint: string;
}

const DAY_MS = 86_400_000;

/**
 * Creates a self-signed certificate for `localhost` and 127.0.0.1 (X.509 v3, ECDSA on P-256). Node can read
 * certificates but not create them.
 */
export function selfSigned(): Certificate {
	const now = Date.now();
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = nameOf('localhost');
	const altNames = sequence(
		der(0x82, Buffer.from('localhost')),
		der(0x87, Buffer.from([127, 0, 0, 1]))
	);
	const serial = randomBytes(16);
	// Makes the serial number positive, without a leading zero byte.
	serial[0] = (serial[0]! & 0x3f) | 0x40;
	const content = sequence(
		der(0xa0, der(0x02, bytes('02'))),
		der(0x02, serial),
		ECDSA_SHA256,
		name,
		sequence(utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + 3650 * DAY_MS))),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(
			0xa3,
			sequence(
				sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
				sequence(ALT_NAME, octets(altNames))
			)
		)
	);
	const signature = sign('sha256', content, privateKey);
	const whole = sequence(content, ECDSA_SHA256, der(0x03, bytes('00'), signature));
	return {
		cert: pem('CERTIFICATE', whole),
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		fingerprint: createHash('sha256').update(whole).digest('hex')
	};
}
