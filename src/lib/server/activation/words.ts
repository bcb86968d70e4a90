/** Failures of activation and signing in words: what happened, what is safe, what to do next. Pure. */
import { explainNodeError } from '#lib/rpc/errors/node.ts';
import { parseJson } from '#lib/rpc/json.ts';
import { isUnreached, isWrongPin, type Failure } from './failure.ts';
import { DEVICE, type ActivationMethod } from './methods.ts';
import type { Plain } from './plain.ts';

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

/** Device failures by the node's word for them (KDF 2.5.1). */
const DEVICE_WORDS: Readonly<Record<string, [what: string, next: string]>> = {
	NoTrezorDeviceAvailable: [
		'No hardware wallet is connected to the node.',
		'Plug the device into the machine of the node, then try again.'
	],
	FoundMultipleDevices: [
		'Several hardware wallets are connected to the node.',
		'Leave only the one that is meant plugged in, then try again.'
	],
	FoundUnexpectedDevice: [
		'Another hardware wallet is connected than the one that the node was set up with.',
		'Connect the device that was used first, or set the hardware wallet up again.'
	],
	InvalidPin: [
		'The device refused the PIN.',
		'Try again: the digits on the device change their places each time.'
	],
	UserCancelled: [
		'The request was declined on the device.',
		'Try again and confirm it on the device.'
	],
	NotInitialized: ['The hardware wallet holds no keys yet.', 'Set the device up first.'],
	ProcessError: ['The device could not do it.', 'Unplug the device, plug it in, and try again.'],
	InvalidSignature: ['The device gave a signature that is wrong.', 'Try again.'],
	PinExpected: ['The device wants its PIN.', 'Try again and give the PIN when it is asked for.']
};

/** Text of the node that says the hardware wallet was not set up. */
const NO_DEVICE_CONTEXT = /Hardware Wallet context is not initialized/i;

/** Which device failure the error names; null for none. */
function deviceWord({ message, data }: Failure): string | null {
	const text = `${message} ${JSON.stringify(data)}`;
	return Object.keys(DEVICE_WORDS).find((word) => text.includes(word)) ?? null;
}

/** How many wrong PINs in a row call for a warning. */
export const WRONG_PINS_WARN = 3;

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

const unreached = (coin: string, message: string): FailureWords => ({
	what: `The node did not reach any server of ${coin}: ${quoted(message)}`,
	safe: SAFE,
	next: 'Choose servers that answer, or wait for the next try.'
});

function creation(coin: string, failure: Failure): FailureWords {
	const text = member(failure.data, 'error') || failure.message;
	if (/bchd_urls is unsafe/i.test(text)) {
		return {
			what: `${coin} was not activated: without a bchd server nothing checks SLP tokens, and a payment could burn them.`,
			safe: SAFE,
			next: 'Name a bchd server, or accept the risk with the box beside it when this wallet holds no SLP tokens.'
		};
	}
	if (NO_DEVICE_CONTEXT.test(text)) {
		return {
			what: 'The hardware wallet is not set up on this node.',
			safe: SAFE,
			next: 'Connect the hardware wallet first, then activate the coin.',
			offer: 'task::init_trezor'
		};
	}
	const device = deviceWord(failure);
	if (device !== null) {
		const [what, next] = DEVICE_WORDS[device]!;
		return { what, safe: SAFE, next };
	}
	if (/derivation_path/.test(text)) {
		return {
			what: `${coin} has no derivation path in the node's coins file, and this node has a wallet of many addresses.`,
			safe: SAFE,
			next: 'Bring the coins file up to date at the node and restart it.',
			admin: true
		};
	}
	if (/native wallet configuration|rpcuser|rpcpassword|Rpc port is not set/i.test(text)) {
		return daemonConf(coin, text);
	}
	return {
		what: `The node could not set ${coin} up: ${quoted(text)}`,
		safe: SAFE,
		next: 'Correct what the node names, then try again.'
	};
}

const daemonConf = (coin: string, text: string): FailureWords => ({
	what: `The node cannot use the daemon of ${coin}: ${quoted(text)}`,
	safe: SAFE,
	next: 'Check that the daemon of this chain is installed beside the node, and that its configuration file has rpcuser, rpcpassword and rpcport.',
	admin: true
});

/** Texts of the calls `electrum` and `enable`, after the places in the source (KDF 2.5.1). */
function legacy(coin: string, message: string): FailureWords | null {
	const text = message.trim();
	if (/^mm2 param is not set/.test(text)) {
		return {
			what: `Neither the node's coins file nor the request says "mm2" for ${coin}, so the node takes the coin for one that it does not support.`,
			safe: SAFE,
			next: 'Choose a value for mm2 in the form: 1 when the coin can be swapped, 0 for the wallet only. If the node does not know the ticker at all, its coins file has to be brought up to date.'
		};
	}
	if (/"protocol" field is missing in coins file/.test(text)) {
		return {
			what: `The node does not know ${coin}: its coins file has no usable entry of this ticker.`,
			safe: SAFE,
			next: 'Check the spelling, capitals included. A new coin needs a newer coins file at the node and a restart of it.',
			admin: true
		};
	}
	if (/min_connected should be greater than 0/.test(text)) {
		return {
			what: 'The smallest number of connections was 0.',
			safe: SAFE,
			next: 'Ask for at least one connection.'
		};
	}
	const limits = /min_connected \((\d+)\) must be <= max_connected \((\d+)\)/.exec(text);
	if (limits) {
		return {
			what: `At least ${limits[1]} connections were asked for and at most ${limits[2]}.`,
			safe: SAFE,
			next: 'Make the smallest number no larger than the largest one, and choose as many servers.'
		};
	}
	if (/UnexpectedDerivationMethod/.test(text)) {
		return {
			what: `This node has a wallet of many addresses, and the call cannot activate ${coin} there.`,
			safe: SAFE,
			next: 'Activate it as a task.',
			offer: 'task::enable_utxo'
		};
	}
	if (/^Deactivated coin due to error in balance querying/.test(text)) {
		return {
			what: `The node took ${coin} back: it could not read the balance from any of the servers in time.`,
			safe: SAFE,
			next: 'Choose servers that answer, or try again in a moment.'
		};
	}
	if (/native wallet configuration|Conf file .* doesn't have|Rpc port is not set/.test(text)) {
		return daemonConf(coin, text);
	}
	const unsupported = /^(\S+) protocol is not supported by lp_coininit/.exec(text);
	if (unsupported) {
		return {
			what: `Coins of the protocol ${unsupported[1]} cannot be activated by this call.`,
			safe: SAFE,
			next: 'Use the task of its own for this kind of coin.'
		};
	}
	if (/No 'coin' field/.test(text)) {
		return { what: 'The request named no coin.', safe: SAFE, next: 'Choose a coin.' };
	}
	if (/No such coin/.test(text)) {
		return {
			what: `${coin} is not active on this node.`,
			safe: 'Nothing was changed.',
			next: 'Activate it first.'
		};
	}
	return null;
}

/** A failure that is ours or the connection's, whatever was asked. */
function general(node: string, { kind, message }: Failure, safe: string): FailureWords | null {
	switch (kind) {
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
			return { what: message, safe, next: 'Wait until an admin lifts the switch.' };
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
		case null:
			break;
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
		case 'CoinConfigIsNotFound':
		case 'PlatformConfigIsNotFound':
			return {
				what: `The node does not know ${coin}: its coins file has no entry of this ticker.`,
				safe: SAFE,
				next: 'Check the spelling, capitals included. A new coin needs a newer coins file at the node and a restart of it.',
				admin: true
			};
		case 'CoinProtocolParseError':
			return {
				what: `The node cannot read the entry of ${coin} in its coins file: ${quoted(member(data, 'error') || message)}`,
				safe: SAFE,
				next: 'Correct the entry in the coins file at the node and restart it.',
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
		case 'CoinCreationError':
			return isUnreached(failure) ? unreached(coin, message) : creation(coin, failure);
		case 'TaskTimedOut':
		case 'Timeout':
			return {
				what:
					method === 'task::init_trezor'
						? 'Nobody answered the device within ten minutes, so the node gave up.'
						: 'Nobody answered the device within five minutes, so the node gave up.',
				safe: SAFE,
				next: 'Have the device and its PIN at hand, then try again.'
			};
		case 'HwError': {
			const word = deviceWord(failure);
			const known = word === null ? null : DEVICE_WORDS[word]!;
			return {
				what: known?.[0] ?? `The hardware wallet reports: ${quoted(message)}`,
				safe: SAFE,
				next: known?.[1] ?? 'Unplug the device, plug it in, and try again.'
			};
		}
		case 'HwContextInitializingAlready':
			return {
				what: 'The hardware wallet is being set up on this node already.',
				safe: SAFE,
				next: 'Wait until that has ended.'
			};
		case 'Transport':
			return unreached(coin, message);
		case 'NoSuchTask':
			return {
				what: 'The node does not know this task any more.',
				safe: 'Whether the coin is active is shown in the list of coins.',
				next: 'Start the activation again.'
			};
		case 'TaskFinished':
			return {
				what: 'The task had finished before it could be ended.',
				safe: 'What it did stands.',
				next: 'Look at its result.'
			};
		case 'InvalidRequest':
			return {
				what: `The node does not take this request: ${quoted(message)}`,
				safe: SAFE,
				next: 'Correct what the node names. Its version may not know one of the fields.'
			};
		case 'NoSuchMethod':
			return {
				what: 'This version of the node does not know this way of activating.',
				safe: SAFE,
				next: 'Choose another way.'
			};
		case 'Internal':
		case 'InternalError':
			// Limits of connections come as text of this type from tasks.
			return (
				legacy(coin, message.replace(/^Internal error: (\w+:\d+\] )?/, '')) ?? {
					what: `The node failed: ${quoted(message)}`,
					safe: SAFE,
					next: 'Try again. If it stays so, an admin finds more in the log of the node.'
				}
			);
		default: {
			const known = explainNodeError(method, {
				type,
				message,
				data: data === null ? undefined : parseJson(JSON.stringify(data))
			});
			return {
				what: known?.what ?? `The node refused: ${quoted(message)}`,
				safe: SAFE,
				next: known?.next ?? 'Correct what the node names, then try again.'
			};
		}
	}
	return (
		legacy(coin, message.replace(/^Internal error: (\w+:\d+\] )?/, '')) ?? {
			what: `The node refused${coin === DEVICE ? '' : ` ${coin}`}: ${quoted(message)}`,
			safe: SAFE,
			next: 'Correct what the node names, then try again.'
		}
	);
}

const UNSIGNED = 'Nothing was signed.';

/** A signature that was not made. */
export function explainSigning(node: string, coin: string, failure: Failure): FailureWords {
	const own = general(node, failure, UNSIGNED);
	if (own) return { ...own, next: own.next.replace('It is tried again by itself.', 'Try again.') };
	const { type, message, data } = failure;
	const text = typeof data === 'string' ? data : message;
	switch (type) {
		case 'PrefixNotFound':
			return {
				what: `${coin} has no "sign_message_prefix" in the node's coins file, so messages cannot be signed with it.`,
				safe: UNSIGNED,
				next: 'Sign with another coin, or add the prefix to the coins file at the node and restart it.',
				admin: true
			};
		case 'CoinIsNotFound':
			return {
				what: `${coin} is not active on this node.`,
				safe: UNSIGNED,
				next: 'Activate it first.'
			};
		case 'SigningError':
			return {
				what: `The node could not sign: ${quoted(text)}`,
				safe: UNSIGNED,
				next: 'Try again. If it stays so, an admin finds more in the log of the node.'
			};
		case 'InvalidRequest':
			if (/enable_hd/.test(text)) {
				return {
					what: 'This node has one address for each coin, so no path can be chosen.',
					safe: UNSIGNED,
					next: 'Leave the path empty: the address of the node signs.'
				};
			}
			if (/Invalid path to coin/.test(text)) {
				return {
					what: `The path does not belong to ${coin}.`,
					safe: UNSIGNED,
					next: 'Begin the path as the coins file says for this coin: its purpose and coin number must be the same.'
				};
			}
			if (/BIP32/i.test(text)) {
				return {
					what: 'The path cannot be read.',
					safe: UNSIGNED,
					next: "Write it like m/44'/141'/0'/0/1."
				};
			}
			if (/not supported by the given coin type/.test(text)) {
				return {
					what: `Coins of the kind of ${coin} cannot sign messages.`,
					safe: UNSIGNED,
					next: 'Sign with another coin.'
				};
			}
			return {
				what: `The node does not take this request: ${quoted(text)}`,
				safe: UNSIGNED,
				next: 'Correct what the node names.'
			};
		case 'InternalError':
		case 'Internal':
			if (/no such coin/i.test(text)) {
				return {
					what: `${coin} is not active on this node.`,
					safe: UNSIGNED,
					next: 'Activate it first.'
				};
			}
			if (/Unsupported method|Not implemented/i.test(text)) {
				return {
					what: `The key of ${coin} is on a device or another wallet, which the node does not ask for signatures of messages.`,
					safe: UNSIGNED,
					next: 'Sign with that device or wallet itself.'
				};
			}
			return {
				what: `The node failed while signing: ${quoted(text)}`,
				safe: UNSIGNED,
				next: 'Try again. If it stays so, an admin finds more in the log of the node.'
			};
		default:
			return {
				what: `The node refused: ${quoted(message)}`,
				safe: UNSIGNED,
				next: 'Correct what the node names.'
			};
	}
}

/** A PIN that could not be handed over. Only the type of the error is read: its text may repeat the PIN. */
export function explainAction({ kind, type, message }: Failure, node: string): string {
	const own = general(
		node,
		{ kind, type, message: kind === 'switched-off' ? message : '', data: null },
		''
	);
	if (own) return own.what;
	if (type === 'NoSuchTask')
		return 'The node does not know this task any more. Start the activation again.';
	if (type === 'Internal' || type === 'InternalError') {
		return 'The device does not wait for this any more. Look at the state of the activation.';
	}
	return 'The node did not take it. Look at the state of the activation and try again.';
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
