/** Time-based codes of apps (RFC 6238): six digits, SHA-1, steps of 30 seconds. */
import { Secret, TOTP } from 'otpauth';
import { PRODUCT } from '#lib/messages/product.ts';

const STEP_MS = 30_000;
/** Clocks of phones may be slightly off: codes of one step before and after are accepted. */
const WINDOW = 1;
/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20;

const totpOf = (secret: string, label: string): TOTP =>
	new TOTP({
		issuer: PRODUCT.name,
		label,
		algorithm: 'SHA1',
		digits: 6,
		period: STEP_MS / 1000,
		secret: Secret.fromBase32(secret)
	});

/** Returns a new secret, base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the `otpauth:` address that an app reads from a QR code. */
export const setUpAddress = (secret: string, account: string): string =>
	totpOf(secret, account).toString();

/** Returns the time step of a code; null when the code is not valid at this moment. */
export function stepOf(secret: string, code: string, now: number): bigint | null {
	if (!/^\d{6}$/.test(code)) return null;
	const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: WINDOW });
	return delta === null ? null : BigInt(Math.floor(now / STEP_MS) + delta);
}
