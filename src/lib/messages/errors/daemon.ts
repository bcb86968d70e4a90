import { count, plural } from '#lib/text/plural.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { safety } from './access.ts';
import { credentials } from './credentials.ts';
import { withStatus, type ErrorArea } from './define.ts';

/**
 * Whether the upstream may have acted on a call: `not-sent` (nothing left this process, or the other side said
 * that it did not accept the call), `unknown` (sent, but no response arrived), `delivered` (a response
 * arrived).
 */
export type Delivery = 'not-sent' | 'unknown' | 'delivered';

/** The failed call, and what is known of its response. */
interface Call {
	/** Id of the daemon. */
	daemon: string;
	method: string;
	delivery: Delivery;
	/** HTTP status of the response, when there was one. */
	status?: number | undefined;
	/** The daemon's own code and text, when it returned an error. */
	rpcCode?: number | undefined;
	rpcMessage?: string | undefined;
	/** Logged, so that a request can be traced. */
	requestId?: string | undefined;
}

/** Why a response is not valid JSON-RPC. */
export type EnvelopeFault = 'not-json' | 'no-object' | 'no-result' | 'no-error-code';

/**
 * Why a response is not accepted.
 * - `envelope`: it is no JSON-RPC response
 * - `result`: the path in the result and the problem there; never the value
 * - `status`: a result with the HTTP status of a failure
 * - `form`: valid for the method, but not what this call requested
 * - `transaction`: it concerns another transaction
 */
export type AnswerFault =
	| { kind: 'envelope'; fault: EnvelopeFault }
	| { kind: 'result'; place: string }
	| { kind: 'status' }
	| { kind: 'form' }
	| { kind: 'transaction'; txid: string };

/** How a daemon differs from its configuration; null when the daemon reports no value. */
export type IdentityDifference =
	| { what: 'chain'; found: string; configured: string }
	| { what: 'ccid'; found: number | null; configured: number }
	| { what: 'pubkey'; found: string | null };

/** A safety control that stops a call, as an error of the area `safety`. */
export type SafetyControl = {
	[C in keyof typeof safety]: {
		readonly code: C;
		readonly params: Parameters<(typeof safety)[C]['message']> extends [infer P]
			? P
			: Readonly<Record<string, never>>;
	};
}[keyof typeof safety];

type CredentialsFault = {
	readonly code: keyof typeof credentials;
	readonly params: { readonly file: string };
};

const ENVELOPE: Readonly<Record<EnvelopeFault, string>> = {
	'not-json': 'it is not JSON',
	'no-object': 'it is no object',
	'no-result': 'it has no member "result"',
	'no-error-code': 'its error has no code or no message'
};

function faultText(fault: AnswerFault, status: number | undefined): string {
	switch (fault.kind) {
		case 'envelope':
			return ENVELOPE[fault.fault];
		case 'result':
			return visibleText(fault.place);
		case 'status':
			return `a result with the HTTP status ${status ?? 0}`;
		case 'form':
			return 'it has another form than this call asked for';
		case 'transaction':
			return `it is about another transaction than ${fault.txid}`;
	}
}

/** Describes how a daemon differs from its configuration. */
function differenceText(difference: IdentityDifference): string {
	switch (difference.what) {
		case 'chain':
			return `It serves the chain ${quoted(difference.found)}, configured is ${difference.configured}.`;
		case 'ccid':
			return difference.found === null
				? `It reports no CCid, configured is ${difference.configured}.`
				: `Its CCid is ${difference.found}, configured is ${difference.configured}.`;
		case 'pubkey':
			return difference.found === null
				? 'It reports no compressed public key, but one is configured.'
				: `Its wallet public key is ${difference.found}, but another one is configured.`;
	}
}

/** Maximum length of a daemon's text in a message: a usage text has pages of it. */
const QUOTED_LETTERS = 300;

/** Shortens foreign text to one line, for a sentence, and makes characters visible that could reverse the sentence. */
export function quoted(text: string): string {
	const line = text.trim().replace(/\s+/g, ' ');
	return visibleText(line.length > QUOTED_LETTERS ? `${line.slice(0, QUOTED_LETTERS)}…` : line);
}

function refused({ daemon, method, rpcMessage = '' }: Readonly<Call>): string {
	const said = quoted(rpcMessage);
	return said === ''
		? `${daemon} refused ${method} without giving a reason.`
		: `${daemon} refused ${method}: ${said}`;
}

/** A failed call to a daemon. Messages say what happened and contain no credential. */
export const daemon = {
	...withStatus(502, {
		'daemon.unknown': ({ daemon: id }: Readonly<Call>) => `No daemon called ${id} is configured.`,
		'daemon.unreachable': ({ daemon: id }: Readonly<Call>) =>
			`Nothing answers at the address of ${id}.`
	}),
	'daemon.timeout': {
		status: 504,
		message: ({ daemon: id, method }: Readonly<Call>) => `${id} did not answer ${method} in time.`
	},
	...withStatus(503, {
		/** The daemon refuses calls with -28 while it starts; `rpcMessage` says what it is doing. */
		'daemon.warming-up': ({ daemon: id, rpcMessage = '' }: Readonly<Call>) =>
			`${id} is still starting${rpcMessage === '' ? '' : ` (${quoted(rpcMessage)})`}.`,
		/**
		 * The daemon has not synced its chain, so the absence of something proves nothing. `tip` is 0 where it does not
		 * know how long the chain is.
		 */
		'daemon.syncing': ({
			daemon: id,
			blocks,
			tip
		}: Readonly<Call> & { blocks: number; tip: number }) =>
			tip > 0
				? `${id} has ${count(blocks)} of the ${count(tip)} blocks of its chain and is still reading the others.`
				: `${id} has ${plural(blocks, 'block')} and does not know whether its chain has more.`,
		'daemon.busy': ({ daemon: id }: Readonly<Call>) => `${id} has more work waiting than it takes.`
	}),
	...withStatus(502, {
		/** `login`: why the configured login could not be read. */
		'daemon.unauthorized': ({
			daemon: id,
			status,
			login
		}: Readonly<Call> & { login?: CredentialsFault | null }) =>
			status === 403
				? `${id} does not accept calls from this machine.`
				: login
					? credentials[login.code].message(login.params)
					: `${id} refuses the login that is configured for it.`,
		'daemon.truncated': ({ daemon: id, method }: Readonly<Call>) =>
			`The answer of ${id} to ${method} broke off.`,
		'daemon.too-large': ({ daemon: id, method }: Readonly<Call>) =>
			`The answer of ${id} to ${method} is larger than this console takes.`,
		'daemon.not-rpc': ({ daemon: id, status }: Readonly<Call>) =>
			`What answers at the address of ${id} is not a chain daemon${status === undefined ? '' : ` (HTTP status ${status})`}.`,
		'daemon.validation-mismatch': ({
			daemon: id,
			method,
			fault,
			status
		}: Readonly<Call> & { fault: AnswerFault }) =>
			`The answer of ${id} to ${method} does not fit: ${faultText(fault, status)}.`,
		/** The daemon responded with a JSON-RPC error. */
		'daemon.rpc-error': refused,
		/** The daemon reported an in-band error, inside a result. */
		'daemon.in-band-error': refused,
		/** `difference`: null while only the fact is known. */
		'daemon.wrong-chain': ({
			daemon: id,
			difference
		}: Readonly<Call> & { difference: IdentityDifference | null }) => {
			const what = `The daemon at the address of ${id} serves another chain or wallet than configured.`;
			return difference === null ? what : `${what} ${differenceText(difference)}`;
		}
	}),
	...withStatus(503, {
		/** A safety control stops every call that changes something. */
		'daemon.safety-control': ({ control }: Readonly<Call> & { control: SafetyControl }) => {
			const { message } = safety[control.code] as { message(params: object): string };
			return message(control.params);
		},
		/** The method would terminate a daemon that was started without a wallet. */
		'daemon.no-wallet': ({ daemon: id, method }: Readonly<Call>) =>
			`${id} was started without a wallet, and ${method} needs one.`
	}),
	'daemon.invalid-params': {
		status: 502,
		message: ({ method }: Readonly<Call>) => `The parameters do not fit ${method}.`
	}
} satisfies ErrorArea<'daemon'>;
