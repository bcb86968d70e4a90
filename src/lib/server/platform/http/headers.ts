import { hasHostCookie, type HeaderReader } from './cookies.ts';

/**
 * Browser features that access sensors, devices or payments, disabled so that an injected script cannot use
 * them either.
 */
const SHUT = [
	'accelerometer',
	'camera',
	'display-capture',
	'geolocation',
	'gyroscope',
	'hid',
	'magnetometer',
	'microphone',
	'midi',
	'payment',
	'serial',
	'usb'
];

const PERMISSIONS = SHUT.map((feature) => `${feature}=()`).join(', ');

/**
 * Headers of every response, in addition to the content security policy that SvelteKit adds to pages.
 *
 * @param secure whether the browser used https
 */
export function securityHeaders(secure: boolean): Record<string, string> {
	return {
		'x-content-type-options': 'nosniff',
		// Within the site a form POST must send its Origin, which "no-referrer" would turn into "null".
		'referrer-policy': 'same-origin',
		'permissions-policy': PERMISSIONS,
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-resource-policy': 'same-origin',
		'x-frame-options': 'DENY',
		...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {})
	};
}

const httpsAddress = (publicOrigin: string | null): URL | null => {
	if (publicOrigin === null || !URL.canParse(publicOrigin)) return null;
	const known = new URL(publicOrigin);
	return known.protocol === 'https:' ? known : null;
};

/** Whether the Host header names the public address and that address is https. */
export const isSecureHost = (host: string | null, publicOrigin: string | null): boolean => {
	const known = httpsAddress(publicOrigin);
	return known !== null && known.host === host?.toLowerCase();
};

/**
 * Whether the browser used https. The URL of a request does not tell, because the adapter takes its origin from the
 * settings, whatever name was requested. A proxy may forward another Host than the public one: then the Origin of a form
 * tells, or a cookie that browsers send only over https.
 */
export function cameByHttps(headers: HeaderReader, publicOrigin: string | null): boolean {
	if (isSecureHost(headers.get('host'), publicOrigin)) return true;
	const known = httpsAddress(publicOrigin);
	if (known === null) return false;
	return headers.get('origin') === known.origin || hasHostCookie(headers);
}
