import { expect, test } from 'vitest';
import { failureElsewhere, formFailure } from './formFailure.ts';

const failure = (error: unknown, status?: number, form = new FormData()) =>
	formFailure({ type: 'error', error, ...(status === undefined ? {} : { status }) }, form);

test('what the server says of a form that it refused is told with its status', () => {
	const error = { message: 'Too many requests.', code: 'too-many-requests' };
	expect(failure(error, 429)).toEqual({ kind: 'refused', error, status: 429 });
});

test('without an answer it is not known what became of the form', () => {
	expect(failure(new TypeError('Failed to fetch'))).toEqual({ kind: 'unknown' });
});

test('an answer that the server did not write says nothing of the form', () => {
	expect(failure(new SyntaxError('Unexpected token <'), 502)).toEqual({ kind: 'unknown' });
	expect(failure('gateway', 502)).toEqual({ kind: 'unknown' });
});

test('what cannot be undone is a question, and no failure', () => {
	const question = { title: 'Remove', about: 'Remove: a', text: 'It is gone.' };
	const error = { message: 'First.', code: 'sure-needed', question };
	expect(failure(error, 403)).toEqual({ kind: 'unsure', question });
});

test('who has to sign in or to type the password first gets the server’s page for it', () => {
	for (const code of ['sign-in-needed', 'confirmation-needed']) {
		expect(failure({ message: 'First.', code }, 403)).toEqual({ kind: 'page' });
	}
});

test('a form that the server’s page cannot keep stays where it is, and says what to do first', () => {
	const large = new FormData();
	large.append('pasted', 'x'.repeat(66_000));
	// Each letter is three bytes of the posted form.
	const encoded = new FormData();
	encoded.append('pasted', '|'.repeat(22_000));
	const rows = new FormData();
	for (let row = 0; row < 501; row++) {
		rows.append('recipient', 'a');
		rows.append('amount', '1');
	}
	const file = new FormData();
	file.append('file', new Blob(['x']));
	for (const form of [large, encoded, rows, file]) {
		expect(failure({ message: 'First.', code: 'sign-in-needed' }, 401, form)).toEqual({
			kind: 'refused',
			error: {
				message: expect.stringContaining('nothing was done') as string,
				code: 'sign-in-needed'
			},
			status: 401,
			first: 'sign-in-needed'
		});
		expect(failure({ message: 'First.', code: 'confirmation-needed' }, 403, form)).toEqual({
			kind: 'refused',
			error: { message: 'First.', code: 'confirmation-needed' },
			status: 403,
			first: 'confirmation-needed'
		});
	}
});

test('what another page says of a form that it refused is told in the form', () => {
	const refused = (data: Record<string, unknown> | undefined) =>
		failureElsewhere({ type: 'failure', status: 409, ...(data === undefined ? {} : { data }) });
	const problem = 'The node is busy.';
	expect(refused({ problem, code: 'activation.busy' })).toEqual({
		kind: 'refused',
		error: { message: problem, code: 'activation.busy' },
		status: 409
	});
	expect(refused({ problem, code: null })).toEqual({
		kind: 'refused',
		error: { message: problem },
		status: 409
	});
	// Only the other page knows how to display it.
	for (const data of [undefined, { errors: {} }]) expect(refused(data)).toEqual({ kind: 'page' });
});
