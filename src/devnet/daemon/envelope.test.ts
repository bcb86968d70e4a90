import { expect, test } from 'vitest';
import { JsonNumber } from '#lib/rpc/json.ts';
import { answer, methodsOf, type Dispatcher } from './envelope.ts';
import { RpcError, UsageError } from '../rpc/error.ts';

const dispatcher: Dispatcher = {
	warmUp: null,
	call: (method, params) => {
		if (method === 'echo') return params.at(0) ?? null;
		if (method === 'fail') throw new RpcError(-5, 'no');
		if (method === 'usage') throw new UsageError();
		if (method === 'coins') return new JsonNumber('1.15000000');
		return undefined;
	},
	help: (method) => `${method} help\n`
};

test('numbers go through digit for digit', () => {
	expect(answer(dispatcher, '{"method":"echo","params":[200000000.00000001],"id":1e5}').body).toBe(
		'{"result":200000000.00000001,"error":null,"id":1e5}\n'
	);
	expect(answer(dispatcher, '{"method":"coins"}').body).toContain('"result":1.15000000,');
});

test('each failure has its status', () => {
	expect(answer(dispatcher, '{"method":"fail"}')).toEqual({
		status: 500,
		body: '{"result":null,"error":{"code":-5,"message":"no"},"id":null}\n'
	});
	expect(answer(dispatcher, '{"method":"usage"}').body).toContain('"usage help\\n"');
	expect(answer(dispatcher, '{"method":"nosuch"}').status).toBe(404);
	expect(answer(dispatcher, '{"params":[]}').status).toBe(400);
});

test('of members with one name the first counts, and half of a surrogate pair is no JSON', () => {
	const twice =
		'{"method":"echo","method":"fail","params":[{"a":[1],"a":2,"b":"x,\\"}"}],"params":[]}';
	expect(answer(dispatcher, twice).body).toBe(
		'{"result":{"a":[1],"b":"x,\\"}"},"error":null,"id":null}\n'
	);
	expect(methodsOf(twice)).toEqual(['echo']);
	for (const [text, code] of [
		['"\\ud83d\\ude00"', 200],
		['"\\ud83d"', 500],
		['{"\\ude00":1}', 500]
	] as const) {
		expect(answer(dispatcher, `{"method":"echo","params":[${text}]}`).status, text).toBe(code);
	}
});

test('while warming up only help is let through', () => {
	const starting = { ...dispatcher, warmUp: 'Verifying blocks...' };
	expect(answer(starting, '{"method":"echo"}').body).toContain('-28');
	expect(answer(starting, '{"method":"help"}').status).toBe(404);
});

test('the methods of a body are found in single calls and batches', () => {
	expect(methodsOf('{"method":"a"}')).toEqual(['a']);
	expect(methodsOf('[{"method":"a"},5,{"method":"b"}]')).toEqual(['a', 'b']);
	expect(methodsOf('not json')).toEqual([]);
});
