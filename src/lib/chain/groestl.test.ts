import { expect, it } from 'vitest';
import { bytesToHex } from './bytes.ts';
import { groestl512 } from './groestl.ts';

it('gives the digest that its authors published for no bytes', () => {
	expect(bytesToHex(groestl512(new Uint8Array()))).toBe(
		'6d3ad29d279110eef3adbd66de2a0345a77baede1557f5d099fce0c03d6dc2ba' +
			'8e6d4a6633dfbd66053c20faa87d1a11f39a7fbe4a6c2f009801370308fc4ad8'
	);
});
