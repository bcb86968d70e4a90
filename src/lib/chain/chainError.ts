/** What cannot be read or made of the data of these chains, as a code with what its words are made of. */

type None = Readonly<Record<string, never>>;

/** Where bytes stopped making sense. */
type Place = Readonly<{
	/** What was being read, for example "output script". */
	what: string;
	/** Offset of the byte. */
	offset: number;
}>;

/** What the words of each code are made of. No passphrase and no key is ever in it. */
export interface ChainErrorParams {
	/** A text that is no address of these chains. */
	'address.not-base58': None;
	'address.wrong-length': None;
	'address.wrong-network': None;
	/** A text that is no amount. `digits`: the amount that stands before a unit. */
	'amount.empty': None;
	'amount.with-unit': { readonly digits: string };
	'amount.with-comma': None;
	'amount.not-a-number': None;
	'amount.not-whole': None;
	'amount.too-many-decimals': { readonly of: 'coin' | 'token'; readonly decimals: number };
	'amount.too-large': None;
	'amount.zero': None;
	/** A text that is no signature of a message. */
	'message.not-base64': None;
	'message.wrong-length': { readonly of: 'utxo' | 'evm' };
	'message.wrong-header': { readonly of: 'utxo' | 'evm' };
	'message.not-recoverable': None;
	/** A passphrase or path from which no key follows. */
	'passphrase.empty': None;
	'passphrase.wif-checksum': None;
	'passphrase.uncompressed': None;
	'passphrase.out-of-range': None;
	'passphrase.not-a-mnemonic': None;
	'passphrase.bad-path': { readonly path: string };
	/** A key that does not open an output; `type`: that of its script. */
	'sign.no-input': { readonly index: number };
	'sign.other-key': None;
	'sign.unknown-script': { readonly type: string };
	/** Bytes that do not read as what they should be. */
	'parse.not-hex': Place & { readonly character: number };
	'parse.odd-hex': Place;
	'parse.not-a-hash': Place;
	/** Fewer bytes are left than the part needs. */
	'parse.cut-off': Place & { readonly needs: number; readonly left: number };
	/** A length prefix that has more bytes than its number needs. */
	'parse.overlong': Place;
	'parse.count-too-large': Place & { readonly count: number };
	/** A length prefix that promises more bytes than are left. */
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

/** What is handed on of an error: its words come later. */
export type ChainFault<Code extends ChainErrorCode = ChainErrorCode> = {
	readonly [C in Code]: { readonly code: C; readonly params: ChainErrorParams[C] };
}[Code];

/** What is wrong with a text that should be an amount. */
export type AmountFault = ChainFault<CodesOf<'amount'>>;

/** The one error of this folder. Its words are in `lib/messages`; `message` is code and params, for logs. */
export class ChainError<Code extends ChainErrorCode = ChainErrorCode> extends Error {
	override readonly name = 'ChainError';
	readonly code: Code;
	readonly params: ChainErrorParams[Code];

	constructor(code: Code, params: ChainErrorParams[Code], cause?: unknown) {
		super(code, cause === undefined ? undefined : { cause });
		this.code = code;
		this.params = params;
		// Parsers are tried on much that does not fit: the text is made when somebody reads it.
		Object.defineProperty(this, 'message', {
			get: () => `${code} ${JSON.stringify(params)}`
		});
	}

	static of<Code extends ChainErrorCode>({ code, params }: ChainFault<Code>): ChainError<Code> {
		return new ChainError<Code>(code, params);
	}

	/** What is handed on of it. */
	get fault(): ChainFault<Code> {
		return { code: this.code, params: this.params } as ChainFault<Code>;
	}
}

/** Bytes that do not read as what they should be. */
export type ParseError = ChainError<CodesOf<'parse'>>;

/**
 * Whether something is an error of this folder: of one of these codes or areas.
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

/** What is read from bytes; null where they do not read as what they should be. */
export function readOrNull<T>(read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (isChainError(error, 'parse')) return null;
		throw error;
	}
}
