/**
 * Device cookies: they show that an account has signed in from this browser before, and grant no access
 * themselves.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MS } from '#lib/text/units.ts';
import {
	hostCookie,
	hostCookieValues,
	type Cookie,
	type HeaderReader
} from '../../platform/http/cookies.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import { nameKeyOf } from '../identity/names.ts';

const DEVICE_COOKIE = 'komodeck_device';
/** How long a browser stays known after the last sign-in, in days. */
export const KNOWN_DAYS = 180;

export interface Devices {
	/** Returns the cookie of a browser in which this name has just signed in; its value is new each time. */
	cookie(name: string, secure: boolean): Cookie;
	/**
	 * Returns the random part of the device cookie for this name, if the browser shows a valid one; else
	 * null.
	 */
	known(headers: HeaderReader, name: string): string | null;
}

/**
 * @param key 32 bytes, for this purpose alone
 * @param publicOrigin KOMODECK_ORIGIN, when set
 */
export function createDevices(key: Uint8Array, publicOrigin: string | null): Devices {
	const sign = (...parts: string[]): string =>
		createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
	/**
	 * Several members may share a browser, so each name has a separate cookie, whose name does not reveal it.
	 */
	const cookieName = (nameKey: string): string =>
		`${DEVICE_COOKIE}_${sign('name', nameKey).slice(0, 12)}`;

	return {
		cookie(name, secure) {
			const nameKey = nameKeyOf(name);
			const facts = `${randomBytes(16).toString('base64url')}.${Date.now()}`;
			const value = `${facts}.${sign('device', nameKey, facts)}`;
			return hostCookie(cookieName(nameKey), value, secure, (KNOWN_DAYS * DAY_MS) / 1000);
		},
		known(headers, name) {
			const nameKey = nameKeyOf(name);
			for (const value of hostCookieValues(headers, cookieName(nameKey), publicOrigin)) {
				const [nonce, made, signature = ''] = value.split('.', 3);
				const age = Date.now() - Number(made);
				if (!sameText(signature, sign('device', nameKey, `${nonce}.${made}`))) continue;
				if (age >= 0 && age < KNOWN_DAYS * DAY_MS) return nonce ?? null;
			}
			return null;
		}
	};
}
