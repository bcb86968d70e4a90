import { describe, expect, it } from 'vitest';
import { bodyLimitsOf, LARGEST_BODY } from '../../access/requests/bodyLimits.ts';
import { SMALL_BODY, type BodyLimits } from './bodyLimits.ts';
import { takeBody } from './takeBody.ts';

const LIMITS: BodyLimits = { bytes: 1_000, fields: 3, nameBytes: 60 };
const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data; boundary=xyz';

/** A request whose body comes in pieces of this size; `read` counts the bytes that were read. */
function posted(text: string, type: string, piece = 7, more: Record<string, string> = {}) {
	let at = 0;
	const seen = { read: 0 };
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				const next = Buffer.from(text.slice(at, (at += piece)));
				seen.read += next.length;
				if (next.length === 0) controller.close();
				else controller.enqueue(next);
			}
		},
		{ highWaterMark: 0 }
	);
	const headers = { 'content-type': type, ...more };
	const init = { method: 'POST', headers, body, duplex: 'half' };
	return { request: new Request('http://localhost/', init as RequestInit), seen };
}

async function fieldsOf(text: string, type: string, piece?: number): Promise<unknown> {
	const taken = await takeBody(posted(text, type, piece).request, LIMITS);
	return typeof taken === 'string' ? taken : [...(await taken.formData())];
}

const part = (name: string, value: string, more = ''): string =>
	`--xyz\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

const FIVE_PARTS = `${part('a', '').repeat(5)}--xyz--\r\n`;

describe('a body is taken', () => {
	it.each([1, 2, 5, 1_000])('in pieces of %i bytes', async (piece) => {
		expect(await fieldsOf('a=1&b=%26&c', FORM, piece)).toEqual([
			['a', '1'],
			['b', '&'],
			['c', '']
		]);
		const parts = `${part('a', '1')}${part('b', '2')}${part('c', '--xy')}--xyz--\r\n`;
		expect(await fieldsOf(parts, PARTS, piece)).toEqual([
			['a', '1'],
			['b', '2'],
			['c', '--xy']
		]);
		expect(await fieldsOf(parts, 'multipart/form-data; boundary="xyz"', piece)).toHaveLength(3);
	});

	it('with as much as its limits and no more', async () => {
		expect(await fieldsOf('&&a', FORM)).toHaveLength(1);
		expect(await fieldsOf('&&&a', FORM)).toBe('too-many-fields');
		const four = ['a', 'b', 'c', 'd'].map((name) => part(name, '')).join('');
		expect(await fieldsOf(`${four}--xyz--\r\n`, PARTS)).toBe('too-many-fields');
		expect(await fieldsOf(`${'a'.repeat(60)}=${'b'.repeat(900)}`, FORM)).toHaveLength(1);
		expect(await fieldsOf(`x=1&${'a'.repeat(61)}`, FORM)).toBe('long-name');
		expect(await fieldsOf(`${part('a', '1', `; x=${'y'.repeat(60)}`)}--xyz--`, PARTS)).toBe(
			'long-name'
		);
		const json = posted('a'.repeat(1_000), 'application/json').request;
		expect(await takeBody(json, LIMITS)).toBeInstanceOf(Request);
		const more = posted('a'.repeat(1_001), 'application/json').request;
		expect(await takeBody(more, LIMITS)).toBe('too-large');
	});

	it.each([
		[`${PARTS}, ${FORM}`, '&a'.repeat(10)],
		[`text/plain, ${FORM}`, '&a'.repeat(10)],
		['multipart/form-data; boundary=abc, multipart/form-data; boundary=xyz', FIVE_PARTS],
		['multipart/form-data; a="; boundary=abc"; boundary=xyz', FIVE_PARTS],
		['multipart/form-data; boundary="x\\yz"', FIVE_PARTS],
		[`${PARTS}; boundary=abc`, FIVE_PARTS]
	])('and counted by the type by which it is parsed (%s)', async (type, text) => {
		const taken = await takeBody(posted(text, type).request, LIMITS);
		if (typeof taken === 'string') expect(taken).toBe('too-many-fields');
		else await expect(taken.formData()).rejects.toThrow(TypeError);
	});

	it('is not read on when it is more than is taken', async () => {
		for (const text of [`a=${'b'.repeat(100_000)}`, 'a&'.repeat(50_000)]) {
			const { request, seen } = posted(text, FORM, 100);
			expect(await takeBody(request, LIMITS)).toMatch(/too-/);
			expect(seen.read).toBeLessThan(1_200);
		}
	});

	it('is not read at all when it says so itself, or is compressed', async () => {
		const said = posted('a=1', FORM, 1, { 'content-length': '1001' });
		expect(await takeBody(said.request, LIMITS)).toBe('too-large');
		const packed = posted('a=1', FORM, 1, { 'content-encoding': 'gzip' });
		expect(await takeBody(packed.request, LIMITS)).toBe('not-taken');
		const endless = posted('a=1', `multipart/form-data; boundary=${'x'.repeat(71)}`, 1);
		expect(await takeBody(endless.request, LIMITS)).toBe('broken');
		expect([said.seen.read, packed.seen.read, endless.seen.read]).toEqual([0, 0, 0]);
	});
});

describe('the limit of a route', () => {
	it('is small for whoever is not signed in and for routes that say nothing else', () => {
		expect(bodyLimitsOf('/address-book', false)).toEqual(SMALL_BODY);
		expect(bodyLimitsOf('/login', true)).toEqual(SMALL_BODY);
		expect(bodyLimitsOf(null, true)).toEqual(SMALL_BODY);
		expect(bodyLimitsOf('/address-book', true).bytes).toBe(LARGEST_BODY);
		expect(SMALL_BODY.bytes).toBe(64 * 1024);
	});
});
