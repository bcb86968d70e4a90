/** Failures of activation and signing in words: what happened, what is safe, what to do next. Pure. */
import { controlMessage, type Failure, type NotTaken } from '#lib/messages/errors/activation.ts';
import { explainKdfError } from '#lib/rpc/errors/kdf.ts';
import { parseJson } from '#lib/rpc/json.ts';
import { isUnreached, isWrongPin } from './failure.ts';
import { DEVICE, type ActivationMethod } from './methods.ts';
import { plain, type Plain } from '../client/plain.ts';

export interface FailureWords {
	what: string;
	safe: string;
	next: string;
	/** Another way that works for this coin. */
	offer?: ActivationMethod;
	/** It is for an admin to mend. */
	admin?: true;
}

const SAFE = 'Nothing was activated, and no coins were touched.';
const UNSURE =
	'It is not known whether the node acted on it. Asking again does no harm: a coin that is active stays active.';
const LONGEST_QUOTE = 300;

/** The node's words on one line. */
function quoted(message: string): string {
	const line = message.trim().replace(/\s+/g, ' ');
	return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

/** A member of the error's data, as text. */
function member(data: Plain, name: string): string {
	if (typeof data !== 'object' || data === null || Array.isArray(data)) return '';
	const value = (data as { [name: string]: Plain })[name];
	return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** Text of the node that says the hardware wallet was not set up. */
const NO_DEVICE_CONTEXT = /Hardware Wallet context is not initialized/i;

/** How many wrong PINs in a row call for a warning. */
const WRONG_PINS_WARN = 3;

function wrongPinWords(wrongPins: number): FailureWords {
	const warn =
		wrongPins >= WRONG_PINS_WARN
			? ` That makes ${wrongPins} wrong PINs in a row. The device makes everybody wait longer after each one and erases itself after 16: look up the PIN before the next try.`
			: '';
	return {
		what: `The device refused the PIN.${warn}`,
		safe: SAFE,
		next: 'Try again: press the positions that your digits have on the device now. They change each time.'
	};
}

/** Ways that work instead, by what the node said. */
const OFFERS: readonly (readonly [RegExp, ActivationMethod])[] = [
	[NO_DEVICE_CONTEXT, 'task::init_trezor'],
	[/UnexpectedDerivationMethod/, 'task::enable_utxo']
];

/** What stands although the task is of no use any more. */
const STANDS: Readonly<Record<string, string>> = {
	NoSuchTask: 'Whether the coin is active is shown in the list of coins.',
	TaskFinished: 'What it did stands.'
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
			what: `The node refused${name === null ? '' : ` ${name}`}: ${said}`,
			safe,
			next: 'Correct what the node names, then try again.'
		};
	}
	return {
		what: found.quotes && said !== '' ? `${found.what} It says: ${said}` : found.what,
		safe,
		next: found.next,
		...(found.turn === 'operator' ? { admin: true } : {})
	};
}

/** A failure that is ours or the connection's, whatever was asked. */
function general(node: string, failure: Failure, safe: string): FailureWords | null {
	switch (failure.kind) {
		case 'away':
			return {
				what: `Nothing answers at the trading node ${node}: it is down or being restarted.`,
				safe,
				next: 'It is tried again by itself. If it stays so, check that the node runs and that its address and port are the configured ones.'
			};
		case 'unsure':
			return {
				what: `The trading node ${node} did not answer in time.`,
				safe: UNSURE,
				next: 'It is tried again by itself.'
			};
		case 'password':
			return {
				what: `The trading node ${node} refuses the configured password, so nothing more is sent to it: after ten wrong ones it would shut this console out.`,
				safe,
				next: 'An admin compares rpc_password in MM2.json with the configuration here and then confirms that calls may go on.',
				admin: true
			};
		case 'switched-off':
			return {
				what: controlMessage(failure),
				safe,
				next: 'Wait until an admin turns the safety control off.'
			};
		case 'misfit':
			return {
				what: `The trading node ${node} answered in a form that is not known.`,
				safe: UNSURE,
				next: 'Compare its version with the supported ones, and look in the list of coins whether the coin is active.',
				admin: true
			};
		case 'refused':
			return null;
	}
}

/** An activation that failed, or waits for its next try. */
export function explainActivation(
	{
		node,
		coin,
		method,
		wrongPins = 0
	}: { node: string; coin: string; method: ActivationMethod; wrongPins?: number },
	failure: Failure
): FailureWords {
	const own = general(node, failure, SAFE);
	if (own) return own;
	if (isWrongPin(failure)) return wrongPinWords(wrongPins);
	const { type, message, data } = failure;
	switch (type) {
		case 'NoServerAnswers':
			return {
				what: message,
				safe: SAFE,
				next: 'Each server stands below with its reason. Choose others, or wait for the next try.'
			};
		case 'ServersNotListed':
			return {
				what: message,
				safe: SAFE,
				next: 'An admin can list them as servers of our own network; the node is sent nowhere else.',
				admin: true
			};
		case 'UnexpectedCoinProtocol': {
			const protocol =
				/"type":\s*"(\w+)"/.exec(`${JSON.stringify(data)} ${message}`)?.[1] ?? 'another';
			return {
				what: `The node's coins file describes ${coin} as a coin of the protocol ${protocol}, so this way does not fit.`,
				safe: SAFE,
				next:
					protocol === 'UTXO'
						? 'Activate it as an ordinary coin instead. SLP tokens are not seen then.'
						: 'Choose the way that fits its protocol.',
				...(protocol === 'UTXO' ? { offer: 'task::enable_utxo' as const } : {}),
				...(protocol === 'BCH' ? { offer: 'task::enable_bch' as const } : {})
			};
		}
	}
	// The interface document has servers that do not answer as a coin that could not be created.
	const meant = isUnreached(failure) ? { ...failure, type: 'Transport' } : failure;
	const words = refusalWords(method, coin, meant, STANDS[type ?? ''] ?? SAFE);
	const said = `${message} ${JSON.stringify(data)}`;
	const offer = OFFERS.find(([text]) => text.test(said))?.[1];
	return offer === undefined ? words : { ...words, offer };
}

const UNSIGNED = 'Nothing was signed.';

/** A signature that was not made. */
export function explainSigning(node: string, coin: string, failure: Failure): FailureWords {
	const own = general(node, failure, UNSIGNED);
	if (own) return { ...own, next: own.next.replace('It is tried again by itself.', 'Try again.') };
	return refusalWords('sign_message', coin, failure, UNSIGNED);
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

/** The node's word for a step, in words; a word that is not known is shown as it is. */
export function stepWords(step: Plain): string {
	if (typeof step === 'string') {
		return STEP_WORDS[step] ?? step.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
	}
	if (typeof step !== 'object' || step === null || Array.isArray(step)) return 'at work';
	const [name, value] = Object.entries(step as { [name: string]: Plain })[0] ?? ['', null];
	if (name === 'TemporaryError') return `a passing error: ${quoted(String(value))}`;
	if (name === 'ConfirmAddress')
		return `compare the address on the device: ${member(value ?? null, 'expected_address')}`;
	const at = member(value ?? null, 'current_scanned_block');
	const last = member(value ?? null, 'last_block') || member(value ?? null, 'latest_block');
	const words = STEP_WORDS[name] ?? name;
	return at === '' ? words : `${words}: block ${at} of ${last}`;
}

const STEP_WORDS: Readonly<Record<string, string>> = {
	Initializing: 'setting the device up',
	ActivatingCoin: 'activating the coin',
	RequestingWalletBalance: 'asking for the balance',
	RequestingAccountBalance: 'asking for the balance',
	Finishing: 'finishing',
	WaitingForHardwareToConnect: 'waiting for the hardware wallet: plug it in',
	WaitingForUserToConfirmPubkey: 'confirm the request on the device',
	FollowHwDeviceInstructions: 'follow the instructions on the device',
	EnterHardwarePin: 'the device wants its PIN',
	EnterHardwarePassphrase: 'the device wants its passphrase',
	SyncingBlockHeaders: 'reading block headers',
	UpdatingBlocksCache: 'reading blocks',
	BuildingWalletDb: 'building the wallet'
};
