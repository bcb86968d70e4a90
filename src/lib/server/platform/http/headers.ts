/** What reads its surroundings or reaches devices and money: a script that got in would find it shut as well. */
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
 * Headers of every answer, next to the content security policy that SvelteKit adds to pages.
 *
 * @param secure the browser came by https
 */
export function securityHeaders(secure: boolean): Record<string, string> {
	return {
		'x-content-type-options': 'nosniff',
		// Within the site a form post must carry its Origin, which "no-referrer" would turn into "null".
		'referrer-policy': 'same-origin',
		'permissions-policy': PERMISSIONS,
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-resource-policy': 'same-origin',
		'x-frame-options': 'DENY',
		...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {})
	};
}

/** True when the browser came by https: seen here, or known of the public address. */
export function cameByHttps(url: URL, host: string | null, publicOrigin: string | null): boolean {
	if (url.protocol === 'https:') return true;
	return isSecureHost(host, publicOrigin);
}

/** True when the Host header names the public address and that one is https. */
export function isSecureHost(host: string | null, publicOrigin: string | null): boolean {
	if (publicOrigin === null || !URL.canParse(publicOrigin)) return false;
	const known = new URL(publicOrigin);
	return known.protocol === 'https:' && known.host === host?.toLowerCase();
}
