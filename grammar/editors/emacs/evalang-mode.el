;;; evalang-mode.el --- evalang in Emacs  -*- lexical-binding: t -*-

;; Put this file on the load path and (require 'evalang-mode). Colours, findings and repairs come from the language
;; server through eglot; it needs `pip install "evalang[editor]"`.

;;; Code:

(defvar evalang-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?- "_" table)
    table))

;;;###autoload
(define-derived-mode evalang-mode prog-mode "evalang"
  "Major mode for comparing learning algorithms honestly."
  (setq-local comment-start "# ")
  (setq-local comment-end ""))

(defun evalang-script-p ()
  "Whether this buffer is a script and not a log of Inspect AI, which is a ZIP archive."
  (not (string-prefix-p "PK" (buffer-substring-no-properties 1 (min 3 (point-max))))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.evalang\\'" . evalang-mode))
;;;###autoload
(add-to-list 'magic-mode-alist
             (cons (lambda () (and buffer-file-name (string-suffix-p ".eval" buffer-file-name) (evalang-script-p)))
                   'evalang-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(evalang-mode . ("evalang" "server"))))

(provide 'evalang-mode)
;;; evalang-mode.el ends here
