import { expect, test } from 'vitest';
import { failureElsewhere, formFailure } from './formFailure.ts';

const failure = (error: unknown, status?: number) =>
	formFailure({ type: 'error', error, ...(status === undefined ? {} : { status }) });

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
