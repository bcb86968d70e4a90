/** Bodies that are cheap to send and were expensive to process. */

const MiB = 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

export interface Shape {
	what: string;
	/** The sender. */
	as: 'stranger' | 'token';
	path: string;
	body: string;
	type: string;
}

const call = (params: string, method = 'getblockcount'): string =>
	`{"id":1,"method":"${method}","params":[${params}]}`;
const fill = (unit: string, bytes: number): string =>
	unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

const form = (what: string, body: string, type = FORM): Shape => ({
	what: `form: ${what}`,
	as: 'stranger',
	path: '/login',
	body,
	type
});
const rpc = (what: string, body: string): Shape => ({
	what: `call: ${what}`,
	as: 'token',
	path: '/api/rpc/ALPHA',
	body,
	type: 'application/json'
});

export const SHAPES: readonly Shape[] = [
	form('0.8 MB of fields', fill('a&', 0.8 * MiB)),
	form('8 MB of fields', fill('a&', 8 * MiB)),
	form('64 KB of fields', fill('a&', 64_000)),
	form('1,000 fields', fill('a=%41&', 5_990)),
	form('a name of 64 KB', fill('a', 64_000)),
	form('64 KB of escapes', `a=${fill('%41', 64_000)}`),
	form(
		'64 KB of parts',
		fill('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n', 64_000),
		'multipart/form-data; boundary=x'
	),
	rpc('8 MB of empty calls', `[${fill('{},', 8 * MiB)}{}]`),
	rpc('200 empty calls', `[${fill('{},', 597)}{}]`),
	rpc('1 MB of elements', call(`${fill('1,', 1_000_000)}1`)),
	rpc('25,000 elements', call(`${fill('1,', 49_900)}1`)),
	rpc('25,000 arrays', call(`${fill('[],', 36_000)}1`)),
	rpc('12,000 equal members', call(`{${fill('"a":[],', 84_000)}"a":1}`)),
	rpc('1 MB of spaces', call(fill(' ', 1_000_000))),
	rpc('1 MB of escapes in a text', call(`"${fill('\\"', 1_000_000)}"`)),
	rpc('1 MB of digits', call(fill('9', 1_000_000))),
	rpc('1 MB of brackets', call(fill('[', 1_000_000))),
	rpc('depth, then a text without end', call(`${fill('[', 66)}"${fill('\\"', 900_000)}`)),
	rpc('2 MB of hex', call(`"${fill('00', 2_000_000)}"`, 'decoderawtransaction')),
	rpc(
		'200 ids of 5 KB',
		`[${Array.from({ length: 200 }, () => `{"id":"${fill('i', 5_000)}","method":"nosuch"}`).join()}]`
	)
];
