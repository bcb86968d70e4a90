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
