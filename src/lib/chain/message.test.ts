import bitcoinMessage from 'bitcoinjs-message';
import { recoverMessageAddress, verifyMessage as viemVerify } from 'viem';
import { describe, expect, test } from 'vitest';
import { decodeAddress, encodeAddress } from './address.ts';
import { bytesToHex } from './bytes.ts';
import { decodeCashAddress, encodeCashAddress } from './cashaddr.ts';
import { checksummed, evmAddressOf, isChecksummed } from './evmAddress.ts';
import { hash160 } from './hash.ts';
import { IDENTITY_PATH, iguanaKey, KeyTree } from './hdKey.ts';
import { publicKeyOf } from './key.ts';
import {
	evmMessageHash,
	evmSigner,
	messageHash,
	signEvmMessage,
	signerHash,
	signMessage,
	verifyMessage
} from './message.ts';

const KOMODO = 'Komodo Signed Message:\n';
const BITCOIN = 'Bitcoin Signed Message:\n';
const ETHEREUM = 'Ethereum Signed Message:\n';
/** Publicly known passphrases from the trading node's tests. */
const P1 = 'spice describe gravity federal blast come thank unfair canal monkey style afraid';
const P2 = 'tank abandon bind salon remove wisdom net size aspect direct source fossil';

const k1 = iguanaKey(P1);
const h1 = hash160(publicKeyOf(k1));
const tree = new KeyTree(P2);
const komodoAddress = (key: Uint8Array): string => encodeAddress(hash160(publicKeyOf(key)));

describe('keys from a passphrase', () => {
	test('one key is made of a text, a WIF and a hex', () => {
		expect(bytesToHex(k1)).toBe('809465b17d0a4ddb3e4c69e8f23c2cabad868f51f8bed5c765ad1d6516c3306f');
		expect(bytesToHex(h1)).toBe('05aab5342166f8594baf17a7d9bef5d567443327');
		const bob = 'b8c774f071de08c7fd8f62b97f1a5726f6ce9f1bcf141b70b86689254ed6714e';
		for (const text of [
			'bob passphrase',
			'UvCjJf4dKSs2vFGVtCnUTAhR5FTZGdg43DDRa9s7s5DV1sSDX14g',
			`0x${bob}`
		]) {
			expect(bytesToHex(iguanaKey(text))).toBe(bob);
			expect(komodoAddress(iguanaKey(text))).toBe('RRnMcSeKiLrNdbp91qNVQwwXx5azD4S4CD');
		}
	});

	test('what is no passphrase is refused with its reason', () => {
		expect(() => iguanaKey('')).toThrow('passphrase.empty');
		expect(() => iguanaKey(`0x${'f'.repeat(64)}`)).toThrow('passphrase.out-of-range');
		expect(() => iguanaKey('UvCjJf4dKSs2vFGVtCnUTAhR5FTZGdg43DDRa9s7s5DV1sSDX14h')).toThrow(
			'passphrase.wif-checksum'
		);
		expect(() => new KeyTree('word word word')).toThrow('passphrase.not-a-mnemonic');
		expect(() => tree.keyAt("44'/141'")).toThrow('passphrase.bad-path');
		expect(() => tree.keyAt('m/4294967296')).toThrow('passphrase.bad-path');
	});

	test.each([
		["m/44'/141'/0'/0/0", 'RXNtAyDSsY3DS3VxTpJegzoHU9bUX54j56'],
		["m/44'/141'/0'/0/1", 'RVyndZp3ZrhGKSwHryyM3Kcz9aq2EJrW1z'],
		["m/44'/141'/77'/0/7", 'RLNu8gszQ8ENUrY3VSyBS2714CNVwn1f7P']
	])('the mnemonic has at %s the address %s', (path, address) => {
		expect(komodoAddress(tree.keyAt(path))).toBe(address);
	});

	test.each([
		["m/44'/60'/0'/0/0", '0x1737F1FaB40c6Fd3dc729B51C0F97DB3297CCA93'],
		["m/44'/60'/0'/0/1", '0xDe841899aB4A22E23dB21634e54920aDec402397'],
		["m/44'/60'/77'/0/7", '0xa420a4DBd8C50e6240014Db4587d2ec8D0cE0e6B']
	])('the mnemonic has at %s the EVM address %s', (path, address) => {
		expect(evmAddressOf(publicKeyOf(tree.keyAt(path)))).toBe(address);
	});

	test('the node is named by a key of its own', () => {
		expect(bytesToHex(publicKeyOf(tree.keyAt(IDENTITY_PATH)))).toBe(
			'020202a4c51fd0b7d5049196a1ee69406241dd1bb83d84ed59cf86669831200588'
		);
		expect(evmAddressOf(publicKeyOf(k1))).toBe('0xbAB36286672fbdc7B250804bf6D14Be0dF69fa29');
	});
});

describe('addresses of other coins', () => {
	test('a cash address is written and read, and no mistyped one is taken', () => {
		const text = 'bitcoincash:qqz64df5y9n0sk2t4ut60kd77h2kw3pnyursltctnw';
		const address = { prefix: 'bitcoincash', kind: 'p2pkh', hash: h1 } as const;
		expect(encodeCashAddress(address)).toBe(text);
		for (const given of [text, text.toUpperCase(), text.slice(12)]) {
			expect(decodeCashAddress(given, 'bitcoincash')).toEqual(address);
		}
		expect(decodeCashAddress(text.slice(12), 'bchtest')).toBeNull();
		expect(decodeCashAddress(text.replace('qqz6', 'qqz7'), 'bitcoincash')).toBeNull();
		expect(decodeCashAddress('bitcoincash:', 'bitcoincash')).toBeNull();
	});

	test('the case of an EVM address is its check sum', () => {
		const address = '0xbAB36286672fbdc7B250804bf6D14Be0dF69fa29';
		expect(checksummed(address.toLowerCase())).toBe(address);
		expect(isChecksummed(address)).toBe(true);
		expect(isChecksummed(address.toLowerCase())).toBe(false);
	});
});

describe('messages of UTXO coins', () => {
	test('the hash is that of the trading node', () => {
		expect(bytesToHex(messageHash(KOMODO, 'test').reverse())).toBe(
			'5aef9b67485adba55a2cd935269e73f2f9876382f1eada02418797ae76c07e18'
		);
	});

	test.each([
		[
			k1,
			KOMODO,
			'test',
			'HzetbqVj9gnUOznon9bvE61qRlmjH5R+rNgkxu8uyce3UBbOu+2aGh7r/GGSVFGZjRnaYC60hdwtdirTKLb7bE4='
		],
		[
			k1,
			BITCOIN,
			'test',
			'HzNH58Xd+orz5jKewdH88/cGOVmsK6tTDEsJSag3pmVWMdjlw7gB6N6cNgRtWaeJIadsqQmhwv8DHWIjqGzOoE8='
		],
		[
			iguanaKey('BCH SLP test'),
			BITCOIN,
			'test',
			'ILuePKMsycXwJiNDOT7Zb7TfIlUW7Iq+5ylKd15AK72vGVYXbnf7Gj9Lk9MFV+6Ub955j7MiAkp0wQjvuIoRPPA='
		],
		[
			tree.keyAt("m/44'/141'/0'/0/0"),
			KOMODO,
			'test',
			'ICnkSvQkAurwLvK6RYtCItrWMOS4ESjCf4GKp1DvBM8Xc2+dxM4si6NcSb0JJaJajYhPkwg5yWHmgR/9AmGB0KE='
		],
		[
			tree.keyAt("m/44'/141'/0'/0/1"),
			KOMODO,
			'test',
			'IPGbtsPPz6u2DishjOcP0Lf6xqPfpvTcMnkP/rRUVddKPBtkN+SfUPVZcz1vagjhj95I2t4ctLzcc3vcRdQLxbY='
		],
		[
			k1,
			KOMODO,
			'',
			'ILDtWM072/o9zv+k9L+uhC/lPYIoKZ70ejiwa49YKfRKe2r9H71VeNcPtaq8AKHb34Wp5HlM/gxr6EjJ66GKen8='
		],
		[
			k1,
			KOMODO,
			'grüße €',
			'IKpn6z4ZxfX+qKuslZLwD4O/8NSJqJVLNkm89QGkfxI0cNcIxqM4cStKOQGZA24YFFsIUiYC5li4kWZDE8Pk9ug='
		],
		[
			k1,
			KOMODO,
			'a'.repeat(300),
			'H4QKbMnnkg/Ddc/x5xIsJE5rMVLwj8+DQvuea+B3E9O+XFNJ2ovotr4Nnqzf7gqV/7q1HD4Jt5yXS76jVslGYVY='
		]
	])('a known signature comes out again (%#)', (key, prefix, message, signature) => {
		expect(signMessage(prefix, message, key)).toBe(signature);
		const hash = hash160(publicKeyOf(key));
		expect(verifyMessage(prefix, message, signature, hash)).toBe(true);
		expect(verifyMessage(prefix, `${message}.`, signature, hash)).toBe(false);
	});

	test('a documented signature verifies for its address', () => {
		const message = 'Between subtle shading and the absence of light lies the nuance illusion';
		const signature =
			'H43eTmJxBKEPiHkrCe/8NsRidkKCIkXDxLyp30Ez/RwoApGdg89Hlvj9mTMSPGp8om5297zvdL8EVx3IdIe2swY=';
		const { hash } = decodeAddress('RUYJYSTuCKm9gouWzQN1LirHFEYThwzA2d');
		expect(verifyMessage(KOMODO, message, signature, hash)).toBe(true);
	});

	test('another library makes and takes the same signatures', () => {
		const address = encodeAddress(h1, 0);
		for (const prefix of [KOMODO, BITCOIN]) {
			const framed = `${String.fromCharCode(prefix.length)}${prefix}`;
			for (const message of ['', 'test', 'grüße €', 'b'.repeat(1000)]) {
				const signature = signMessage(prefix, message, k1);
				expect(bitcoinMessage.verify(message, address, signature, framed)).toBe(true);
				const theirs = bitcoinMessage.sign(message, Buffer.from(k1), true, framed);
				expect(theirs.toString('base64')).toBe(signature);
			}
		}
	});

	test('what is no signature is refused with its reason', () => {
		const code = (signature: string): unknown => {
			try {
				return signerHash(KOMODO, 'test', signature);
			} catch (error) {
				return (error as { code: string }).code;
			}
		};
		expect(code('*')).toBe('message.not-base64');
		expect(code('AAAA')).toBe('message.wrong-length');
		expect(code(Buffer.alloc(65).toString('base64'))).toBe('message.wrong-header');
		expect(code(Buffer.alloc(65, 31).fill(0, 1).toString('base64'))).toBe(
			'message.not-recoverable'
		);
	});
});

describe('messages of EVM coins', () => {
	test.each([
		[
			k1,
			'test',
			'0xcdf11a9c4591fb7334daa4b21494a2590d3f7de41c7d2b333a5b61ca59da9b311b492374cc0ba4fbae53933260fa4b1c18f15d95b694629a7b0620eec77a938600'
		],
		[
			tree.keyAt("m/44'/60'/0'/0/0"),
			'test',
			'0x36b91a54f905f2dd88ecfd7f4a539710c699eaab2b425ba79ad959c29ec26492011674981da72d68ac0ab72bb35661a13c42bce314ecdfff0e44174f82a7ee2501'
		],
		[
			tree.keyAt("m/44'/60'/0'/0/1"),
			'test',
			'0xc8aa1d54c311e38edc815308dc67018aecbd6d4008a88b9af7aba9c98997b7b56f9e6eab64b3c496c6fff1762ae0eba8228370b369d505dd9087cded0a4d947a01'
		],
		[
			k1,
			'grüße €',
			'0xd12325def812d5877fed3d427421208ae460ba87b9e37d608a03097df616c60c7eb0f68c7cc52d5f2edfe9d7336049985677d9b3416570314766cc61114b60d500'
		]
	] as const)(
		'a known signature comes out again and viem takes it (%#)',
		async (key, message, signature) => {
			expect(signEvmMessage(ETHEREUM, message, key)).toBe(signature);
			const address = evmAddressOf(publicKeyOf(key)) as `0x${string}`;
			expect(evmSigner(ETHEREUM, message, signature)).toBe(address);
			expect(
				evmSigner(
					ETHEREUM,
					message,
					`${signature.slice(2, -1)}${signature.endsWith('1') ? 'c' : 'b'}`.replace(
						/0([bc])$/,
						'1$1'
					)
				)
			).toBe(address);
			expect(await viemVerify({ address, message, signature })).toBe(true);
			expect(await recoverMessageAddress({ message, signature })).toBe(address);
		}
	);

	test('the hash is that of the trading node', () => {
		expect(bytesToHex(evmMessageHash(ETHEREUM, 'test'))).toBe(
			'4a5c5d454721bbbb25540c3317521e71c373ae36458f960d2ad46ef088110e95'
		);
	});

	test('what is no signature is refused', () => {
		expect(() => evmSigner(ETHEREUM, 'test', '0x00')).toThrow('message.wrong-length {"of":"evm"}');
		expect(() => evmSigner(ETHEREUM, 'test', `0x${'1'.repeat(128)}07`)).toThrow(
			'message.wrong-header {"of":"evm"}'
		);
		expect(() => evmSigner(ETHEREUM, 'test', `0x${'0'.repeat(130)}`)).toThrow(
			'message.not-recoverable'
		);
	});
});
