/** Where passkeys work: browsers bind them to a host name, and require a secure connection. */
import { isIP } from 'node:net';
import { readHost } from '../../platform/net/host.ts';

/** The site that passkeys are bound to. */
export interface PasskeySite {
	/** The origin that the browser includes in what it signs. */
	origin: string;
	/** Relying party id: the host name whose passkeys the browser offers. */
	rpId: string;
}

/** Why passkeys are not possible here: plain HTTP, an IP address, or not the public address. */
export type PasskeysOff = 'insecure' | 'address' | 'elsewhere';

export type PasskeyPlace = { site: PasskeySite; off: null } | { site: null; off: PasskeysOff };

const off = (why: PasskeysOff): PasskeyPlace => ({ site: null, off: why });

/**
 * Returns the site of a request. With a public https address, that is the only site: the Host field can be
 * forged, so a different one gets no passkeys. Without one, `localhost` is a site, which browsers treat as
 * secure without TLS.
 * @param host the Host field; the server has already refused foreign hosts
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
