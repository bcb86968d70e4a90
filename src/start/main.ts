/** `npm start`: builds if necessary and serves the build. */
import './memory.ts';
import { keepCompiled } from './compiled.ts';

keepCompiled();
// Imported dynamically: static imports are compiled before any code here runs.
const { startProduct } = await import('./product.ts');
await startProduct();
