/** Messages for failures of activation and signing: what happened, what is safe, what to do next. Pure. */
import { failureWords, safeWords, stepTexts } from '#lib/messages/activation/failures.ts';
import {
	controlMessage,
	failureMessage,
	nodePasswordFaultOf,
	type Failure
} from '#lib/messages/errors/activation.ts';
import { quoted } from '#lib/messages/errors/daemon.ts';
import { explainKdfError } from '#lib/messages/kdf-errors/index.ts';
import { isOwn, mayBeDone } from '#lib/server/kdf/calls/failure.ts';
import { isWrongPin } from '#lib/server/kdf/calls/taskFailure.ts';
import { DEVICE, familyOf, type ActivationMethod } from '#lib/server/kdf/coins/methods.ts';
import { isPlainObject, members, plain, type Plain } from '#lib/server/kdf/client/plain.ts';
import { refusalCode, refusalOf } from '#lib/server/kdf/calls/refusals.ts';
import type { SigningProblem } from '#lib/server/kdf/signing/signing.ts';

export interface FailureWords {
	what: string;
	safe: string;
	next: string;
	/** Another method that works for this coin. */
	offer?: ActivationMethod;
	/** Whether an admin has to fix it. */
	admin?: true;
	/** `what` without the node's own text, when `what` quotes that. */
	unquoted?: string;
	/** The error as the node reported it, member by member as JSON; for operators of the node. */
	said?: string;
}

/**
 * Adds a refusal as the node worded it, with the names of members on the wire; nothing for a failure that is
 * not the node's.
 */
function withSaid(words: FailureWords, failure: Failure): FailureWords {
	const { kind, type, message, data, place } = failure;
	if (kind !== 'refused' || isOwn(failure) || failure.error !== undefined) return words;
	const members = {
		error: message,
		...(type === null ? {} : { error_type: type }),
		...(data === null ? {} : { error_data: data }),
		...(place?.path ? { error_path: place.path } : {}),
		...(place?.trace ? { error_trace: place.trace } : {})
	};
	return { ...words, said: JSON.stringify(members, null, 2) };
}

/** Returns a member of the error's data as text. */
function member(data: Plain, name: string): string {
	const value = members(data)[name];
	return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/**
 * Returns what is certain despite the failure. Rows of earlier releases have in the data that an earlier try
 * may have had an effect.
 */
const safeOf = (failure: Failure): string =>
	mayBeDone(failure) || (isOwn(failure) && members(plain(failure.data))['unsure'] === true)
		? safeWords.unsure
		: safeWords.nothing;

/** How many wrong PINs in a row call for a warning. */
const WRONG_PINS_WARN = 3;

function wrongPinWords(wrongPins: number): FailureWords {
	const counted = wrongPins >= WRONG_PINS_WARN ? wrongPins : null;
	return { ...failureWords.pin(counted), safe: safeWords.nothing };
}

/** Returns a method that works instead, by the node's error; undefined when the coin has none. */
function offerOf(
	method: ActivationMethod,
	failure: Failure,
	ways: readonly ActivationMethod[]
): ActivationMethod | undefined {
	switch (refusalCode(method, failure)) {
		case 'device.not-set-up':
		case 'HwContextNotInitialized':
			return 'task::init_trezor';
		case 'wallet.many-addresses':
		case 'UnexpectedDerivationMethod':
			// For a platform, the error type may be about its NFTs, which no task can activate either.
			return failure.type === 'UnexpectedDerivationMethod' && method !== 'enable_erc20'
				? undefined
				: ways.find((way) => familyOf(way) !== null);
		default:
			return undefined;
	}
}

/** What is certain when the task cannot be used any more, by error type. */
const STANDS: Readonly<Record<string, string>> = {
	NoSuchTask: safeWords.ended,
	TaskFinished: safeWords.finished
};

/** Returns the message of the registry's error, with the node's own text where that says more. */
function refusalWords(method: string, coin: string, failure: Failure, safe: string): FailureWords {
	const { data } = failure;
	const name = coin === DEVICE ? null : coin;
	const found = explainKdfError(method, refusalOf(failure), name);
	const said = quoted(
		member(plain(data), 'error') ||
			(typeof data === 'string' ? data : '') ||
			failureMessage(failure)
	);
	if (found === null) {
		return {
			...failureWords.refused(name, said),
			...(said === '' ? {} : { unquoted: failureWords.rejected(name) }),
			safe
		};
	}
	return {
		...(found.quotes && said !== ''
			? { what: failureWords.quoted(found.what, said), unquoted: found.what }
			: { what: found.what }),
		safe,
		next: found.next,
		...(found.turn === 'operator' ? { admin: true } : {})
	};
}

/** Whether the call was sent and no answer says what the node did. */
const mayHaveActed = ({ kind }: Failure): boolean => kind === 'unsure' || kind === 'misfit';

/**
 * Returns the message of a failure of this server or of the connection, whatever was requested; null for a
 * refusal.
 */
function general(node: string, failure: Failure, safe: string): FailureWords | null {
	switch (failure.kind) {
		case 'away': {
			const fault = nodePasswordFaultOf(failure);
			if (fault === null) return { ...failureWords.away(node), safe };
			const words = { ...failureWords.nodePasswordFault[fault](node), safe };
			return fault === 'PasswordUnreadable' ? { ...words, admin: true } : words;
		}
		case 'unsure':
			return {
				...failureWords.timeout(node),
				...(failure.spoiled ? { what: failureMessage(failure) } : {}),
				safe: safeWords.unsure
			};
		case 'password':
			return { ...failureWords.password(node), safe, admin: true };
		case 'switched-off':
			return {
				what: controlMessage(failure),
				safe,
				next: failureWords.control
			};
		case 'misfit':
			return { ...failureWords.misfit(node), safe: safeWords.unsure, admin: true };
		case 'refused':
			if (failure.type === 'CallKept') return { ...failureWords.kept, safe };
			return failure.type === 'ParamsNotSent'
				? { what: failureMessage(failure), safe, next: failureWords.parameters }
				: null;
	}
}

const OF_UTXO: readonly ActivationMethod[] = ['task::enable_utxo', 'task::enable_bch'];

interface About {
	node: string;
	coin: string;
	method: ActivationMethod;
	/** The methods of the coin; by default those of a UTXO coin. */
	ways?: readonly ActivationMethod[];
	wrongPins?: number;
}

/** Explains an activation that failed, or waits for its next try. */
export const explainActivation = (about: About, failure: Failure): FailureWords =>
	withSaid(activationWords(about, failure), failure);

function activationWords(
	{ node, coin, method, ways = OF_UTXO, wrongPins = 0 }: About,
	failure: Failure
): FailureWords {
	const safe = safeOf(failure);
	const own = general(node, failure, safe);
	if (own) return own;
	if (isWrongPin(failure)) return wrongPinWords(wrongPins);
	const { type, message, data } = failure;
	switch (type) {
		// Rows of earlier releases have the sentence as the message.
		case 'NoServerAnswers':
			return {
				what:
					message ||
					failureWords.servers.silent(
						Number(member(plain(data), 'servers')),
						member(plain(data), 'kind') === 'lightwalletd'
					),
				safe,
				next: failureWords.servers.noneAnswers
			};
		case 'ServersNotListed':
			return {
				what: message || failureWords.servers.allPrivate,
				safe,
				next: failureWords.servers.notListed,
				admin: true
			};
		case 'NotAllowedNow': {
			const { person, closed, rule } = members(plain(data));
			return typeof rule === 'number'
				? { ...failureWords.ruledOut(rule), safe }
				: { ...failureWords.notAllowedNow(String(person), closed === true), safe };
		}
		case 'RequestUnreadable':
			return { ...failureWords.unreadable, safe };
		case 'UnexpectedCoinProtocol': {
			const protocol = /"type":\s*"(\w+)"/.exec(`${JSON.stringify(data)} ${message}`)?.[1] ?? null;
			const isOffered = (ofNode: string, way: ActivationMethod): boolean =>
				protocol === ofNode && ways.includes(way);
			return {
				what: failureWords.protocol(coin, protocol),
				safe: safeWords.nothing,
				next:
					protocol === 'UTXO' ? failureWords.protocolNext.utxo : failureWords.protocolNext.other,
				...(isOffered('UTXO', 'task::enable_utxo') ? { offer: 'task::enable_utxo' as const } : {}),
				...(isOffered('BCH', 'task::enable_bch') ? { offer: 'task::enable_bch' as const } : {})
			};
		}
	}
	const words = refusalWords(method, coin, failure, STANDS[type ?? ''] ?? safeWords.nothing);
	const offer = offerOf(method, failure, ways);
	return offer === undefined ? words : { ...words, offer };
}

/** Explains why a single change was not made, or may not have been: a disabled coin, a connection to a signer. */
export function explainChange(about: About, failure: Failure): { words: string; said?: string } {
	const { what, next, said } = explainActivation(about, failure);
	const unknown = mayHaveActed(failure) ? [safeWords.unsureChange] : [];
	const words = [what, ...unknown, next].join(' ');
	return said === undefined ? { words } : { words, said };
}

/** Explains a signature that was not made, or whose answer was lost. */
function unsigned(node: string, coin: string, failure: Failure): FailureWords {
	const own = general(node, failure, safeWords.unsigned);
	if (own && mayHaveActed(failure)) {
		return { ...own, safe: safeWords.maybeSigned, next: failureWords.signing.retry };
	}
	if (own) {
		const isOffline = failure.kind === 'away' && nodePasswordFaultOf(failure) === null;
		return isOffline ? { ...own, next: failureWords.signing.retry } : own;
	}
	return withSaid(refusalWords('sign_message', coin, failure, safeWords.unsigned), failure);
}

/** Explains why an address could not be listed. */
function unlisted(node: string, coin: string, failure: Failure): FailureWords {
	const safe = `${safeWords.unsigned} ${failureWords.listing.unsure}`;
	const own = general(node, failure, safe);
	if (own) {
		const isKept = failure.type === 'CallKept' || nodePasswordFaultOf(failure) !== null;
		const next = isKept ? own.next : failureWords.signing.retry;
		return { ...own, safe, next };
	}
	return withSaid(refusalWords('get_new_address', coin, failure, safe), failure);
}

/** Explains why there is no signature to show, or no address. */
export function explainSigning(node: string, coin: string, problem: SigningProblem): FailureWords {
	switch (problem.code) {
		case 'unsigned':
			return unsigned(node, coin, problem.failure);
		case 'unlisted':
			return unlisted(node, coin, problem.failure);
		case 'unreadable-signature':
			return failureWords.unreadableSignature;
		case 'other-signer':
			return failureWords.otherSigner(problem.signer, problem.expected);
	}
}

/** Returns the progress of a step that scans blocks; null when the node does not report it. */
export function stepProgress(step: Plain): { at: number; last: number } | null {
	const value = Object.values(members(step))[0] ?? null;
	const at = Number(member(value, 'current_scanned_block') || NaN);
	const last = Number(member(value, 'last_block') || member(value, 'latest_block') || NaN);
	return last > 0 && at >= 0 ? { at: Math.min(at, last), last } : null;
}

/**
 * Returns the text of a step; an unknown step is shown as the node names it.
 * @param quotes whether the node's own text of an error is quoted
 */
export function stepWords(step: Plain, quotes = true): string {
	if (typeof step === 'string') {
		return stepTexts.known(step) ?? step.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	}
	if (!isPlainObject(step)) return stepTexts.atWork;
	const [name, value] = Object.entries(step)[0] ?? ['', null];
	if (name === 'TemporaryError') return stepTexts.temporary(quotes ? quoted(String(value)) : null);
	if (name === 'ConfirmAddress')
		return stepTexts.confirmAddress(member(value ?? null, 'expected_address'));
	const at = member(value ?? null, 'current_scanned_block');
	const last = member(value ?? null, 'last_block') || member(value ?? null, 'latest_block');
	const words = stepTexts.known(name) ?? name;
	return at === '' ? words : stepTexts.blocks(words, at, last);
}
