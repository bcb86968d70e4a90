/** QR codes as a single SVG path. */

/** The part of the QR library that is used. */
type Library = (
	version: 0,
	correction: 'M'
) => {
	addData(text: string): void;
	make(): void;
	getModuleCount(): number;
	isDark(row: number, column: number): boolean;
};

/** Quiet zone around the code, in modules (ISO 18004). */
const QUIET = 4;

/** @returns null for a text that is too long; `size` is that of the view box */
export function qrPath(library: Library, text: string): { path: string; size: number } | null {
	const code = library(0, 'M');
	code.addData(text);
	try {
		code.make();
	} catch {
		return null;
	}
	const modules = code.getModuleCount();
	let path = '';
	for (let row = 0; row < modules; row++) {
		for (let column = 0; column < modules; column++) {
			if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
		}
	}
	return { path, size: modules + 2 * QUIET };
}
