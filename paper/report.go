package paper

// Report placeholder until its template is in.
func Report(command string, results []*Result) (page File, pictures []File, err error) {
	return File{}, nil, nil
}
