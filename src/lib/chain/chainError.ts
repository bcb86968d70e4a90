/** Errors of parsing and building chain data, as a code with the parameters of its message. */

type None = Readonly<Record<string, never>>;

/** Where parsing failed. */
type Place = Readonly<{
	/** What was being read, for example "output script". */
	what: string;
	/** Offset of the byte. */
	offset: number;
}>;

/** Parameters of the message of each code. They never contain a passphrase or a key. */
export interface ChainErrorParams {
	/** The text is not an address of these chains. */
	'address.not-base58': None;
	'address.wrong-length': None;
	'address.wrong-network': None;
	/** The text is not an amount. `digits`: the amount before the unit. */
	'amount.empty': None;
	'amount.with-unit': { readonly digits: string };
	'amount.with-comma': None;
	'amount.not-a-number': None;
	'amount.not-whole': None;
	'amount.too-many-decimals': { readonly of: 'coin' | 'token'; readonly decimals: number };
	'amount.too-large': None;
	'amount.zero': None;
	/** The text is not a message signature. */
	'message.not-base64': None;
	'message.wrong-length': { readonly of: 'utxo' | 'evm' };
	'message.wrong-header': { readonly of: 'utxo' | 'evm' };
	'message.not-recoverable': None;
	/** No key can be derived from the passphrase or path. */
	'passphrase.empty': None;
	'passphrase.wif-checksum': None;
	'passphrase.uncompressed': None;
	'passphrase.out-of-range': None;
	'passphrase.not-a-mnemonic': None;
	'passphrase.bad-path': { readonly path: string };
	/** The key cannot sign for the output. `type`: type of the output script. */
	'sign.no-input': { readonly index: number };
	'sign.other-key': None;
	'sign.unknown-script': { readonly type: string };
	/** The bytes do not have the expected format. */
	'parse.not-hex': Place & { readonly character: number };
	'parse.odd-hex': Place;
	'parse.not-a-hash': Place;
	/** Fewer bytes remain than the field needs. */
	'parse.cut-off': Place & { readonly needs: number; readonly left: number };
	/** A length prefix is encoded in more bytes than its value needs. */
	'parse.overlong': Place;
	'parse.count-too-large': Place & { readonly count: number };
	/** A length prefix exceeds the remaining bytes. */
	'parse.length-too-large': Place & { readonly length: number; readonly left: number };
	'parse.number-too-large': Place;
	'parse.left-over': Place & { readonly left: number };
	'parse.der-length': Place;
	'parse.version': Place & { readonly version: number };
	/** `group`: eight hexadecimal digits. */
	'parse.version-group': Place & { readonly version: number; readonly group: string };
	'parse.no-burn': Place;
	'parse.no-import': Place;
	'parse.proof-kind': Place & { readonly kind: number };
	'parse.no-chain-name': Place;
	'parse.empty-chain-name': Place;
	'parse.no-token-payload': Place;
	'parse.token-function': Place;
	'parse.too-many-keys': Place;
	'parse.no-payouts': Place;
	'parse.negative-value': Place;
	'parse.branch-index': Place;
}

type ChainErrorCode = keyof ChainErrorParams;
type Area<Code extends ChainErrorCode> = Code extends `${infer Name}.${string}` ? Name : never;
type ChainErrorArea = Area<ChainErrorCode>;
type CodesOf<Selector extends ChainErrorCode | ChainErrorArea> = Selector extends ChainErrorCode
	? Selector
	: Extract<ChainErrorCode, `${Selector}.${string}`>;

/** An error as plain data; its message is looked up when it is shown. */
export type ChainFault<Code extends ChainErrorCode = ChainErrorCode> = {
	readonly [C in Code]: { readonly code: C; readonly params: ChainErrorParams[C] };
}[Code];

/** Why a text is not an amount. */
export type AmountFault = ChainFault<CodesOf<'amount'>>;

/**
 * The only error class of this folder. Texts for users are in `lib/messages`; `message` (code and params) is
 * for logs.
 */
export class ChainError<Code extends ChainErrorCode = ChainErrorCode> extends Error {
	override readonly name = 'ChainError';
	readonly code: Code;
	readonly params: ChainErrorParams[Code];

	constructor(code: Code, params: ChainErrorParams[Code], cause?: unknown) {
		super(code, cause === undefined ? undefined : { cause });
		this.code = code;
		this.params = params;
		// The text is built only when read: parsers try many formats, so most of these errors are never
		// shown.
		Object.defineProperty(this, 'message', {
			get: () => `${code} ${JSON.stringify(params)}`
		});
	}

	static of<Code extends ChainErrorCode>({ code, params }: ChainFault<Code>): ChainError<Code> {
		return new ChainError<Code>(code, params);
	}

	/** The error as plain data. */
	get fault(): ChainFault<Code> {
		return { code: this.code, params: this.params } as ChainFault<Code>;
	}
}

/** The bytes do not have the expected format. */
export type ParseError = ChainError<CodesOf<'parse'>>;

/**
 * Tells whether a value is a `ChainError` with one of these codes or areas.
 *
 * @param selectors codes such as `amount.zero`, or areas such as `parse`
 */
export function isChainError<Selector extends ChainErrorCode | ChainErrorArea>(
	error: unknown,
	...selectors: readonly Selector[]
): error is ChainError<CodesOf<Selector>> {
	if (!(error instanceof ChainError)) return false;
	const code: string = error.code;
	return selectors.some((selector) => code === selector || code.startsWith(`${selector}.`));
}

/** Returns what `read` returns, or null when it throws a `parse` error. Other errors pass through. */
export function readOrNull<T>(read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (isChainError(error, 'parse')) return null;
		throw error;
	}
}
