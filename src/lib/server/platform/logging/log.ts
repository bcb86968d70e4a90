import { pino, type DestinationStream, type Logger } from 'pino';
import { isAppError } from '../errors/appError.ts';
import { plainJson, withoutSecrets } from './redact.ts';
import { standardOutput } from './standardOutput.ts';

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
	'privkey',
	'mnemonic',
	'seed',
	'pin',
	'otp'
];

const SECRET_PATHS = SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Says that something else does not answer, or how: no place in this code explains that. */
const isOfOthers = (error: Error): boolean =>
	isAppError(error, 'indexer', 'daemon', 'kdf', 'transport', 'queue');

/** An error without members of unknown content: a client library may hang a whole request on it. */
function describeError(error: unknown, depth = 0, stacks = true): unknown {
	if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
	const traced = stacks && !isOfOthers(error);
	return {
		type: error.name,
		code: 'code' in error ? error.code : undefined,
		message: withoutSecrets(error.message),
		stack: !traced || error.stack === undefined ? undefined : withoutSecrets(error.stack),
		cause:
			error.cause === undefined || depth >= 4
				? undefined
				: describeError(error.cause, depth + 1, traced)
	};
}

/** What the configuration refuses is logged at the usual level: it has to be said. */
const levelOf = (wanted: string | undefined): string =>
	wanted !== undefined && Object.hasOwn(pino.levels.values, wanted) ? wanted : 'info';

/**
 * A log of JSON lines that credentials do not reach. Whatever a text holds, it stays within its line: line
 * ends are escaped, and so are the signs that would drive a terminal or turn the text around.
 */
export function createLog(destination: DestinationStream = standardOutput()): Logger {
	return pino(
		{
			level: levelOf(process.env['LOG_LEVEL']),
			base: null,
			redact: { paths: SECRET_PATHS, censor: '[redacted]' },
			serializers: { err: (error: unknown) => describeError(error) },
			hooks: {
				logMethod(given, method) {
					const clean = given.map((one: unknown) =>
						typeof one === 'string' ? withoutSecrets(one) : one
					);
					method.apply(this, clean as typeof given);
				}
			}
		},
		{ write: (line: string) => destination.write(plainJson(withoutSecrets(line))) }
	);
}
