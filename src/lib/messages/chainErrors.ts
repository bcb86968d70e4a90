/** Messages of errors about chain data: addresses, amounts, signatures, passphrases and bytes. */
import type { ChainErrorParams } from '#lib/chain/chainError.ts';
import { plural } from '#lib/text/plural.ts';

type Words = {
	readonly [Code in keyof ChainErrorParams]: (params: ChainErrorParams[Code]) => string;
};

/** Returns the name of a part of bytes: its code, or its name in the chains' formats. */
const named = (what: string): string => what.replaceAll('-', ' ');

const WORDS: Words = {
	'address.not-base58': () =>
		'This is not an address: its checksum does not match, a character may be wrong.',
	'address.wrong-length': () => 'This is not an address: it has the wrong length.',
	'address.wrong-network': () =>
		'This address belongs to another network: addresses of Komodo chains start with R or b.',
	'amount.empty': () => 'Enter an amount.',
	'amount.with-unit': ({ digits }) =>
		`Write the amount in digits alone, without the unit: ${digits}.`,
	'amount.with-comma': () => 'Write the amount with a point, without commas: 1234.5.',
	'amount.not-a-number': () => 'Write the amount in digits with a point, for example 1.15.',
	'amount.not-whole': () => 'Write the amount in digits and nothing else, for example 250.',
	'amount.too-many-decimals': ({ of, decimals }) =>
		of === 'coin'
			? `A coin has ${plural(Number(decimals), 'decimal')} at most.`
			: decimals === 0
				? 'This token has no decimals: write a whole number of base units.'
				: `This token has ${plural(Number(decimals), 'decimal')} at most.`,
	'amount.too-large': () => 'The amount is too large.',
	'amount.zero': () => 'The amount must be more than nothing.',
	'message.not-base64': () => 'A signature is base64 text of 88 characters.',
	'message.wrong-length': ({ of }) =>
		of === 'evm'
			? 'A signature is 65 bytes in hex, 130 digits.'
			: 'A signature is base64 text of 88 characters.',
	'message.wrong-header': ({ of }) =>
		of === 'evm'
			? 'The last byte of a signature is 0 or 1.'
			: 'The first byte of this signature is none of the known.',
	'message.not-recoverable': () => 'No key can have made this signature.',
	'passphrase.empty': () => 'The passphrase is empty.',
	'passphrase.wif-checksum': () => 'The checksum of this private key does not match.',
	'passphrase.uncompressed': () => 'This private key is of an uncompressed public key.',
	'passphrase.out-of-range': () => 'The hex passphrase is no private key.',
	'passphrase.not-a-mnemonic': () => 'The passphrase is no English BIP39 mnemonic.',
	'passphrase.bad-path': ({ path }) => `${path} is no path of a key.`,
	'sign.no-input': ({ index }) => `There is no input ${index}.`,
	'sign.other-key': () => 'This key does not open the output that is to be spent.',
	'sign.unknown-script': ({ type }) => `An output of type ${type} cannot be signed here.`,
	'parse.not-hex': ({ character }) => `Character ${character} is not a hexadecimal digit.`,
	'parse.odd-hex': () => 'The number of hexadecimal digits is odd.',
	'parse.not-a-hash': () => 'A hash has 64 hexadecimal digits.',
	'parse.cut-off': ({ what, needs, left }) =>
		`The ${named(what)} needs ${plural(Number(needs), 'more byte')}, but only ${left} are left.`,
	'parse.overlong': ({ what }) => `The ${named(what)} is spelled longer than it needs to be.`,
	'parse.count-too-large': ({ what, count }) =>
		`The ${named(what)} is ${count}, more than the remaining bytes can hold.`,
	'parse.length-too-large': ({ what, length, left }) =>
		`The ${named(what)} should have ${plural(Number(length), 'byte')}, but only ${left} are left.`,
	'parse.number-too-large': ({ what }) => `The ${named(what)} is too large.`,
	'parse.left-over': ({ what, left }) =>
		`${plural(left, 'byte is', 'bytes are')} left behind the end of the ${named(what)}.`,
	'parse.der-length': () => 'The DER length is not usable.',
	'parse.version': ({ version }) => `No transaction has the version ${version}.`,
	'parse.version-group': ({ version, group }) =>
		`No transaction format has version ${version} with the group id ${group}.`,
	'parse.no-burn': () => 'This is not a burn.',
	'parse.no-import': () => 'This is not an import.',
	'parse.proof-kind': ({ kind }) => `No import proof is of the kind ${kind}.`,
	'parse.no-chain-name': () => 'No chain name stands here.',
	'parse.empty-chain-name': () => 'The chain name is empty.',
	'parse.no-token-payload': () => 'This is not a payload of the token module.',
	'parse.token-function': () => 'The token module knows the functions create and transfer here.',
	'parse.too-many-keys': () => 'A token transfer names at most two keys.',
	'parse.no-payouts': () => 'There are no payouts.',
	'parse.negative-value': () => 'The value of this output is negative.',
	'parse.branch-index': () => 'The index does not fit the number of hashes.'
};

/** Returns the message of an error, as a sentence. */
export const chainErrorMessage = <Code extends keyof ChainErrorParams>({
	code,
	params
}: {
	readonly code: Code;
	readonly params: ChainErrorParams[Code];
}): string => WORDS[code](params);
