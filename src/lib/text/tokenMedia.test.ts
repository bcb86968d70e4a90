import { describe, expect, it } from 'vitest';
import { indentedJson, tokenMedia } from './tokenMedia.ts';

const utf8 = (text: string): string => Buffer.from(text).toString('hex');
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64'
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

describe('the data of a non-fungible token', () => {
	it('is a picture when its own bytes are one, as bytes, as an address, and as a member of JSON', () => {
		const url = `data:image/png;base64,${PNG.toString('base64')}`;
		const escaped = JSON.stringify({ image: url }).replaceAll('/', '\\/');
		for (const data of [PNG.toString('hex'), utf8(url), utf8(escaped)]) {
			expect(tokenMedia(`f1${data}`).picture).toEqual({
				type: 'image/png',
				width: 1,
				height: 1,
				url
			});
		}
		expect(tokenMedia(`f1${GIF.toString('hex')}`).picture?.type).toBe('image/gif');
	});

	it('gets the type of its bytes, not the one that it claims', () => {
		const claimed = `data:image/svg+xml;base64,${GIF.toString('base64')}`;
		expect(tokenMedia(`f1${utf8(claimed)}`).picture?.url).toMatch(/^data:image\/gif;base64,/);
	});

	it.each([
		['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
		['HTML', '<!doctype html><script>alert(1)</script>'],
		['an SVG in an address', `data:image/svg+xml;base64,${btoa('<svg onload="alert(1)"/>')}`],
		['an SVG that is called PNG', `data:image/png;base64,${btoa('<svg onload="alert(1)"/>')}`],
		['an HTML address', `data:text/html;base64,${btoa('<script>alert(1)</script>')}`],
		['a script address', 'javascript:alert(1)'],
		['base64 of another length', 'data:image/png;base64,A']
	])('is text and no picture when it is %s', (_what, text) => {
		expect(tokenMedia(`f1${utf8(text)}`)).toMatchObject({
			picture: null,
			text: { form: 'text', text }
		});
	});

	it('is no picture when its few bytes ask for very many pixels', () => {
		const bomb = Buffer.from(PNG);
		bomb.writeUInt32BE(60_000, 16);
		bomb.writeUInt32BE(60_000, 20);
		expect(tokenMedia(`f1${bomb.toString('hex')}`)).toMatchObject({ picture: null, text: null });
	});

	it('is JSON on lines of its own, without a digit changed', () => {
		const source = '{"lot":12345678901234567890.10,"a":[],"a":[1,{"b":"x, y: {z}"}],"e":{ }}';
		const shown = tokenMedia(`f1${utf8(source)}`).text;
		expect(shown?.form).toBe('json');
		expect(shown?.text.split('\n')).toEqual([
			'{',
			'  "lot": 12345678901234567890.10,',
			'  "a": [],',
			'  "a": [',
			'    1,',
			'    {',
			'      "b": "x, y: {z}"',
			'    }',
			'  ],',
			'  "e": {}',
			'}'
		]);
	});

	it('that is nested very deep stays text, and so costs nothing', () => {
		const deep = '['.repeat(5_000) + ']'.repeat(5_000);
		expect(indentedJson(deep)).toBeNull();
		expect(tokenMedia(`f1${utf8(deep)}`).text?.form).toBe('text');
	});

	it('is a dump of bytes otherwise, and of very long data only a part', () => {
		const media = tokenMedia('f10001ff41');
		expect(media).toMatchObject({ code: 'f1', size: 4, picture: null, text: null, left: 0 });
		expect(media.dump).toBe(`0000  00 01 ff 41${' '.repeat(36)}  ...A`);
		const long = tokenMedia(`f1${'41'.repeat(20_000)}`);
		expect(long).toMatchObject({ size: 20_000, text: null, left: 20_000 - 4_096 });
		expect(long.dump.split('\n')).toHaveLength(256);
	});

	it('may be nothing but its code', () => {
		expect(tokenMedia('f3')).toMatchObject({ size: 0, picture: null, text: null, dump: '' });
	});
});
