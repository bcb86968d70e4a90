import { pino, type DestinationStream, type Logger } from 'pino';

/** Members that may hold a credential wherever they stand in a logged object. */
const SECRET_MEMBERS = [
	'password',
	'passphrase',
	'authorization',
	'cookie',
	'token',
	'secret',
	'secretKey',
	'userpass',
	'wif',
	'privkey'
];

const SECRET_PATHS = SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** An address with credentials in it, as connection errors quote it. */
function withoutCredentials(text: string): string {
	return text.replace(/(\w+:\/\/)[^\s/@]+@/g, '$1***@');
}

/** An error without members of unknown content: a client library may hang a whole request on it. */
function describeError(error: unknown, depth = 0): unknown {
	if (!(error instanceof Error)) return { message: withoutCredentials(String(error)) };
	return {
		type: error.name,
		code: 'code' in error ? error.code : undefined,
		message: withoutCredentials(error.message),
		stack: error.stack === undefined ? undefined : withoutCredentials(error.stack),
		cause:
			error.cause === undefined || depth >= 4 ? undefined : describeError(error.cause, depth + 1)
	};
}

/** A log of JSON lines that credentials do not reach. */
export function createLog(destination?: DestinationStream): Logger {
	const options = {
		level: 'info',
		base: null,
		redact: { paths: SECRET_PATHS, censor: '[redacted]' },
		serializers: { err: (error: unknown) => describeError(error) }
	};
	return destination ? pino(options, destination) : pino(options);
}
