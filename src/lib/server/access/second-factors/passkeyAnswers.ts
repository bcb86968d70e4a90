/** Responses of browsers for passkeys: parses only their format, and trusts nothing in them yet. */
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';

const bytes = z.string().regex(/^[\w-]+$/);
const credential = { id: bytes, rawId: bytes, type: z.literal('public-key') };

const ASSERTION = z.object({
	...credential,
	response: z.object({
		clientDataJSON: bytes,
		authenticatorData: bytes,
		signature: bytes,
		userHandle: bytes.optional()
	}),
	clientExtensionResults: z.object({}).default({})
});

/** How a browser reaches an authenticator; only passed back to browsers. */
const TRANSPORTS = z
	.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
	.max(7)
	.catch([]);

const ATTESTATION = z.object({
	...credential,
	response: z.object({
		clientDataJSON: bytes,
		attestationObject: bytes,
		transports: TRANSPORTS
	}),
	clientExtensionResults: z.object({}).default({})
});

export type Assertion = z.output<typeof ASSERTION>;
type Attestation = z.output<typeof ATTESTATION>;

const read = <T>(shape: z.ZodType<T>, text: string): T | null =>
	shape.safeParse(jsonOrNull(text)).data ?? null;

/** Parses what a passkey signed; null for any other text. */
export const readAssertion = (text: string): Assertion | null => read(ASSERTION, text);

/** Parses a passkey that was created; null for any other text. */
export const readAttestation = (text: string): Attestation | null => read(ATTESTATION, text);

/** Parses the stored transports of a passkey; none for any other text. */
export const readTransports = (stored: string | null): z.output<typeof TRANSPORTS> =>
	TRANSPORTS.parse(jsonOrNull(stored ?? ''));

/** Returns the challenge that a response claims to answer; null when it has not the format of ours. */
export function challengeIn({ response }: Assertion | Attestation): string | null {
	const text = Buffer.from(response.clientDataJSON, 'base64url').toString('utf8');
	return read(z.object({ challenge: z.string().regex(/^[\w-]{43}$/) }), text)?.challenge ?? null;
}
