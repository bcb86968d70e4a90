import { pino, type DestinationStream, type Logger } from 'pino';
import { isAppError } from '../errors/appError.ts';
import { plainJson, withoutSecrets } from './redact.ts';
import { standardOutput } from './standardOutput.ts';

/** Members whose values are redacted, up to three levels deep in a logged object. */
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

/** Whether an error reports the failure of an upstream: a stack trace of this code would not explain it. */
const isOfOthers = (error: Error): boolean =>
	isAppError(error, 'indexer', 'daemon', 'kdf', 'transport', 'queue');

/** Describes an error by known members only: client libraries may attach a whole request to an error. */
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

/** An invalid level falls back to the default: the error that reports it must be logged. */
const levelOf = (wanted: string | undefined): string =>
	wanted !== undefined && Object.hasOwn(pino.levels.values, wanted) ? wanted : 'info';

/**
 * Creates a log of JSON lines without credentials. A text cannot break out of its line: line ends, terminal
 * control characters and bidirectional controls are escaped.
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
