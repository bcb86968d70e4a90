/**
 * A passkey authenticator in software: it signs what real ones sign, and also forged values that a test asks
 * for.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON
} from '@simplewebauthn/server';

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

/** The part of CBOR (RFC 8949) that an attestation needs. */
function cbor(value: Cbor): Buffer {
	const head = (major: number, n: number): Buffer => {
		if (n < 24) return Buffer.from([(major << 5) | n]);
		if (n < 256) return Buffer.from([(major << 5) | 24, n]);
		return Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
	};
	if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
	if (typeof value === 'string') {
		const bytes = Buffer.from(value);
		return Buffer.concat([head(3, bytes.length), bytes]);
	}
	if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
	const parts = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)]);
	return Buffer.concat([head(5, value.size), ...parts]);
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Deviations from an honest signature, for attacks. */
interface Signing {
	origin?: string;
	rpId?: string;
	/** False: the user was present but not verified. */
	verified?: boolean;
	/** The signature counter to send; by default it grows by one each time. */
	count?: number;
	/** The credential id to claim instead of its own. */
	id?: string;
}

/** One passkey in the browser of its member. */
export interface TestPasskey {
	id: string;
	/** What the browser posts, as JSON. */
	sign(options: PublicKeyCredentialRequestOptionsJSON, how?: Signing): string;
}

interface Made {
	passkey: TestPasskey;
	/** What the browser posts, as JSON. */
	answer: string;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Makes a passkey as a browser at this origin does. */
export function makePasskey(
	options: PublicKeyCredentialCreationOptionsJSON,
	origin: string,
	how: Pick<Signing, 'verified' | 'rpId' | 'origin'> = {}
): Made {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const credentialId = randomBytes(32);
	const id = base64url(credentialId);
	const rpId = options.rp.id ?? '';
	let count = 0;

	const clientData = (type: string, challenge: string, at: string): Buffer =>
		Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
	const data = (of: string, verified: boolean, n: number, credential?: Buffer): Buffer => {
		const flags =
			USER_PRESENT |
			(verified ? USER_VERIFIED : 0) |
			(credential === undefined ? 0 : HAS_CREDENTIAL);
		const counted = Buffer.alloc(4);
		counted.writeUInt32BE(n);
		return Buffer.concat([
			createHash('sha256').update(of).digest(),
			Buffer.from([flags]),
			counted,
			...(credential === undefined ? [] : [credential])
		]);
	};

	const credential = Buffer.concat([
		Buffer.alloc(16),
		Buffer.from([0, credentialId.length]),
		credentialId,
		coseKey(publicKey)
	]);
	const authData = data(how.rpId ?? rpId, how.verified ?? true, count, credential);
	const attestation = new Map<string, Cbor>([
		['fmt', 'none'],
		['attStmt', new Map()],
		['authData', authData]
	]);
	const made = {
		id,
		rawId: id,
		type: 'public-key',
		clientExtensionResults: {},
		response: {
			clientDataJSON: base64url(
				clientData('webauthn.create', options.challenge, how.origin ?? origin)
			),
			attestationObject: base64url(cbor(attestation)),
			transports: ['internal']
		}
	};
	return {
		answer: JSON.stringify(made),
		passkey: {
			id,
			sign(asked, { verified = true, ...told } = {}) {
				count = told.count ?? count + 1;
				const client = clientData('webauthn.get', asked.challenge, told.origin ?? origin);
				const signed = data(told.rpId ?? asked.rpId ?? rpId, verified, count);
				const digest = createHash('sha256').update(client).digest();
				const shownId = told.id ?? id;
				return JSON.stringify({
					id: shownId,
					rawId: shownId,
					type: 'public-key',
					clientExtensionResults: {},
					response: {
						clientDataJSON: base64url(client),
						authenticatorData: base64url(signed),
						signature: base64url(sign('sha256', Buffer.concat([signed, digest]), privateKey)),
						...(told.id === undefined ? { userHandle: options.user.id } : {})
					}
				});
			}
		}
	};
}

/** A public key as an authenticator encodes it (RFC 9053, 7.1.1). */
function coseKey(key: KeyObject): Buffer {
	const { x = '', y = '' } = key.export({ format: 'jwk' });
	return cbor(
		new Map<number, Cbor>([
			[1, 2],
			[3, -7],
			[-1, 1],
			[-2, Buffer.from(x, 'base64url')],
			[-3, Buffer.from(y, 'base64url')]
		])
	);
}
