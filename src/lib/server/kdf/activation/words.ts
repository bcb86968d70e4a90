/** Failures of activation and signing in words: what happened, what is safe, what to do next. Pure. */
import { failureWords, safeWords, stepTexts } from '#lib/messages/activation/failures.ts';
import { controlMessage, type Failure, type NotTaken } from '#lib/messages/errors/activation.ts';
import { explainKdfError } from '#lib/messages/kdf-errors/index.ts';
import { parseJson } from '#lib/rpc/json.ts';
import { isOwn, isUnreached, isWrongPin, mayBeDone } from './failure.ts';
import { DEVICE, familyOf, type ActivationMethod } from './methods.ts';
import { plain, type Plain } from '../client/plain.ts';

export interface FailureWords {
	what: string;
	safe: string;
	next: string;
	/** Another way that works for this coin. */
	offer?: ActivationMethod;
	/** It is for an admin to mend. */
	admin?: true;
	/** What happened without the node's own text, where `what` repeats it. */
	unquoted?: string;
	/** What the node itself said, member by member as JSON; for those who look after it. */
	said?: string;
}

/** A refusal as the node worded it, with its members' names on the wire; nothing for a failure that is not its own. */
function withSaid(words: FailureWords, failure: Failure): FailureWords {
	const { kind, type, message, data, place } = failure;
	if (kind !== 'refused' || isOwn(failure)) return words;
	const members = {
		error: message,
		...(type === null ? {} : { error_type: type }),
		...(data === null ? {} : { error_data: data }),
		...(place?.path ? { error_path: place.path } : {}),
		...(place?.trace ? { error_trace: place.trace } : {})
	};
	return { ...words, said: JSON.stringify(members, null, 2) };
}

const LONGEST_QUOTE = 300;

/** The node's words on one line. */
function quoted(message: string): string {
	const line = message.trim().replace(/\s+/g, ' ');
	return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

const members = (data: Plain): { readonly [name: string]: Plain } =>
	typeof data !== 'object' || data === null || Array.isArray(data)
		? {}
		: (data as { [name: string]: Plain });

/** A member of the error's data, as text. */
function member(data: Plain, name: string): string {
	const value = members(data)[name];
	return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** What stands although it failed. Rows of earlier releases have what an earlier try left open in the data. */
const safeOf = (failure: Failure): string =>
	mayBeDone(failure) || (isOwn(failure) && members(plain(failure.data))['unsure'] === true)
		? safeWords.unsure
		: safeWords.nothing;

/** Text of the node that says the hardware wallet was not set up. */
const NO_DEVICE_CONTEXT = /Hardware Wallet context is not initialized/i;

/** Texts of the node that say that the proving keys of shielded coins are not on its disk, or not whole. */
const MISSING_KEYS = /ZCashParamsNotFound|SaplingParamsInvalidChecksum/;

/** How many wrong PINs in a row call for a warning. */
const WRONG_PINS_WARN = 3;

function wrongPinWords(wrongPins: number): FailureWords {
	const counted = wrongPins >= WRONG_PINS_WARN ? wrongPins : null;
	return { ...failureWords.pin(counted), safe: safeWords.nothing };
}

/** A wallet of many addresses, in which coins are activated by tasks. */
const MANY_ADDRESSES = /UnexpectedDerivationMethod/;

/** A way that works instead, by what the node said; undefined where none of the coin's does. */
function offerOf(
	method: ActivationMethod,
	{ type, message, data }: Failure,
	ways: readonly ActivationMethod[]
): ActivationMethod | undefined {
	const said = `${message} ${JSON.stringify(data)}`;
	if (NO_DEVICE_CONTEXT.test(said)) return 'task::init_trezor';
	// Of a platform the type may mean its NFTs, which no task finds either.
	const isMany = MANY_ADDRESSES.test(method === 'enable_erc20' ? `${type} ${said}` : said);
	return isMany ? ways.find((way) => familyOf(way) !== null) : undefined;
}

/** What stands although the task is of no use any more. */
const STANDS: Readonly<Record<string, string>> = {
	NoSuchTask: safeWords.ended,
	TaskFinished: safeWords.finished
};

/** A refusal in the words that the registry's errors have, with the node's own where they say more. */
function refusalWords(
	method: string,
	coin: string,
	{ type, message, data }: Failure,
	safe: string
): FailureWords {
	const name = coin === DEVICE ? null : coin;
	const refusal = {
		type,
		message: message.replace(/^Internal error: (\w+:\d+\] )/, ''),
		data: data === null ? undefined : parseJson(JSON.stringify(data))
	};
	const found = explainKdfError(method, refusal, name);
	const said = quoted(
		member(plain(data), 'error') || (typeof data === 'string' ? data : '') || message
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

/** The call went out, and no answer says what the node did. */
const mayHaveActed = ({ kind }: Failure): boolean => kind === 'unsure' || kind === 'misfit';

/** A failure that is ours or the connection's, whatever was asked. */
function general(node: string, failure: Failure, safe: string): FailureWords | null {
	switch (failure.kind) {
		case 'away':
			return { ...failureWords.away(node), safe };
		case 'unsure':
			return {
				...failureWords.timeout(node),
				...(failure.spoiled ? { what: failure.message } : {}),
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
			return null;
	}
}

const OF_UTXO: readonly ActivationMethod[] = ['task::enable_utxo', 'task::enable_bch'];

interface About {
	node: string;
	coin: string;
	method: ActivationMethod;
	/** Those of the coin; those of a UTXO coin where they are not known. */
	ways?: readonly ActivationMethod[];
	wrongPins?: number;
}

/** An activation that failed, or waits for its next try. */
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
	const missing = MISSING_KEYS.exec(`${message} ${JSON.stringify(data)}`)?.[0];
	if (missing !== undefined) {
		const isThere = missing === 'SaplingParamsInvalidChecksum';
		return { ...failureWords.provingKeys(isThere), safe: safeWords.nothing, admin: true };
	}
	// The interface document has servers that do not answer as a coin that could not be created.
	const meant = isUnreached(failure) ? { ...failure, type: 'Transport' } : failure;
	const words = refusalWords(method, coin, meant, STANDS[type ?? ''] ?? safeWords.nothing);
	const offer = offerOf(method, failure, ways);
	return offer === undefined ? words : { ...words, offer };
}

/** Why what was asked for once was not done, or may not have been: a coin disabled, a connection to a signer. */
export function explainChange(about: About, failure: Failure): { words: string; said?: string } {
	const { what, next, said } = explainActivation(about, failure);
	const unknown = mayHaveActed(failure) ? [safeWords.unsureChange] : [];
	const words = [what, ...unknown, next].join(' ');
	return said === undefined ? { words } : { words, said };
}

/** A signature that was not made, or that nobody got. */
export function explainSigning(node: string, coin: string, failure: Failure): FailureWords {
	const own = general(node, failure, safeWords.unsigned);
	if (own && mayHaveActed(failure)) {
		return { ...own, safe: safeWords.maybeSigned, next: failureWords.signing.retry };
	}
	if (own) return failure.kind === 'away' ? { ...own, next: failureWords.signing.retry } : own;
	return withSaid(refusalWords('sign_message', coin, failure, safeWords.unsigned), failure);
}

/** An address that the wallet was to list, and did not. */
export function explainListing(node: string, coin: string, failure: Failure): FailureWords {
	const safe = `${safeWords.unsigned} ${failureWords.listing.unsure}`;
	const own = general(node, failure, safe);
	if (own) return { ...own, safe, next: failureWords.signing.retry };
	return withSaid(refusalWords('get_new_address', coin, failure, safe), failure);
}

/** Why a PIN was not taken. Only the type of the error is read: its text may repeat the PIN. */
export function notTaken({ kind, type, control }: Failure): {
	why: NotTaken;
	control?: Failure['control'];
} {
	if (kind !== 'refused') return { why: kind, control };
	if (type === 'NoSuchTask') return { why: 'task-unknown' };
	const closed = type === 'Internal' || type === 'InternalError';
	return { why: closed ? 'device-closed' : 'node-refused' };
}

/** How far a step is that reads blocks; null where the node does not say. */
export function stepProgress(step: Plain): { at: number; last: number } | null {
	const value = Object.values(members(step))[0] ?? null;
	const at = Number(member(value, 'current_scanned_block') || NaN);
	const last = Number(member(value, 'last_block') || member(value, 'latest_block') || NaN);
	return last > 0 && at >= 0 ? { at: Math.min(at, last), last } : null;
}

/**
 * The node's word for a step, in words; a word that is not known is shown as it is.
 * @param quotes whether the node's own text of an error is repeated
 */
export function stepWords(step: Plain, quotes = true): string {
	if (typeof step === 'string') {
		return stepTexts.known(step) ?? step.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	}
	if (typeof step !== 'object' || step === null || Array.isArray(step)) return stepTexts.atWork;
	const [name, value] = Object.entries(step as { [name: string]: Plain })[0] ?? ['', null];
	if (name === 'TemporaryError') return stepTexts.temporary(quotes ? quoted(String(value)) : null);
	if (name === 'ConfirmAddress')
		return stepTexts.confirmAddress(member(value ?? null, 'expected_address'));
	const at = member(value ?? null, 'current_scanned_block');
	const last = member(value ?? null, 'last_block') || member(value ?? null, 'latest_block');
	const words = stepTexts.known(name) ?? name;
	return at === '' ? words : stepTexts.blocks(words, at, last);
}
