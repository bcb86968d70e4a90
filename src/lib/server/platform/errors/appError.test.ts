import { describe, expect, test } from 'vitest';
import { AppError, isAppError } from './appError.ts';

describe('an error of the catalogue', () => {
	test('says its code in words, with status and form field', () => {
		const error = new AppError('account.name-taken', { name: 'ada' });
		expect(error).toMatchObject({
			code: 'account.name-taken',
			params: { name: 'ada' },
			status: 409,
			field: 'name',
			retryAfter: null,
			message: 'There is an account named ada already.'
		});
	});

	test('keeps its cause, and a field that only the caller knows', () => {
		const cause = new Error('below');
		const error = new AppError('account.unknown', {}, { cause, field: 'member' });
		expect(error).toMatchObject({ cause, field: 'member' });
	});

	test('says how long to wait', () => {
		expect(new AppError('account.throttled', { retryAfter: 15 }).retryAfter).toBe(15);
	});

	test('is told apart by code and by area', () => {
		const error: unknown = new AppError('account.name-taken', { name: 'ada' });
		expect(isAppError(error)).toBe(true);
		expect(isAppError(error, 'account')).toBe(true);
		expect(isAppError(error, 'assignment', 'account.name-taken')).toBe(true);
		expect(isAppError(error, 'assignment', 'account.unknown')).toBe(false);
		expect(isAppError(new Error('account.name-taken'))).toBe(false);
		// The params have the type of the code.
		if (isAppError(error, 'account.name-taken')) expect(error.params.name).toBe('ada');
	});
});
