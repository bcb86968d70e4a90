import { describe, expect, test } from 'vitest';
import { securityHeaders } from './headers.ts';

describe('headers of every answer', () => {
	test('bind a browser to https only where it came by https', () => {
		expect(securityHeaders(true)['strict-transport-security']).toMatch(/^max-age=\d{8}$/);
		expect(securityHeaders(false)).not.toHaveProperty('strict-transport-security');
	});
});
