/** Where passkeys work: browsers bind them to a name, and to a connection that nobody else can read. */
import { isIP } from 'node:net';
import { readHost } from '../../platform/http/host.ts';

/** What a passkey is bound to. */
export interface PasskeySite {
	/** What the browser signs that it was at. */
	origin: string;
	/** The name whose passkeys it offers. */
	rpId: string;
}

/** Why there are no passkeys here: plain HTTP, an IP address, or not the public address. */
export type PasskeysOff = 'insecure' | 'address' | 'elsewhere';

export type PasskeyPlace = { site: PasskeySite; off: null } | { site: null; off: PasskeysOff };

const off = (why: PasskeysOff): PasskeyPlace => ({ site: null, off: why });

/**
 * Where a request is at. With a public address under https that is the only site: a Host field that names another one,
 * which anybody can send, gets none. Without it the browser's own machine is one, which is safe without TLS.
 *
 * @param host the Host field; the server has refused what is not its own
 * @param publicOrigin KOMODECK_ORIGIN, when set
 */
export function passkeyPlace(host: string | null, publicOrigin: string | null): PasskeyPlace {
	if (publicOrigin !== null && URL.canParse(publicOrigin)) {
		const known = new URL(publicOrigin);
		if (known.protocol === 'https:') {
			if (readHost(known.host) === null || isIP(known.hostname.replace(/^\[|\]$/g, '')) !== 0) {
				return off('address');
			}
			if (known.host !== host?.toLowerCase()) return off('elsewhere');
			return { site: { origin: known.origin, rpId: known.hostname }, off: null };
		}
	}
	const asked = readHost(host ?? '');
	if (asked === null) return off('insecure');
	if (asked.name === 'localhost' || asked.name.endsWith('.localhost')) {
		const port = asked.port === null ? '' : `:${asked.port}`;
		const { origin } = new URL(`http://${asked.name}${port}`);
		return { site: { origin, rpId: asked.name }, off: null };
	}
	return off(isIP(asked.name) === 0 ? 'insecure' : 'address');
}
